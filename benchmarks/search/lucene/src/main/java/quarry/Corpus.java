package quarry;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of a made corpus, as package corpus writes them. */
record Corpus(Path dir, int passages, int dims) {
  static final int PASSAGES_PER_DOCUMENT = 20;

  interface Each {
    void document(int number, String[] filters, String[] passages, float[][] vectors)
        throws IOException;
  }

  void documents(boolean vectors, Each each) throws IOException {
    try (BufferedReader texts = Files.newBufferedReader(dir.resolve("texts.txt"));
        BufferedReader filters = Files.newBufferedReader(dir.resolve("filters.txt"));
        DataInputStream numbers =
            new DataInputStream(Files.newInputStream(dir.resolve("vectors.f32")))) {
      for (int n = 0; n < passages / PASSAGES_PER_DOCUMENT; n++) {
        String[] of = new String[PASSAGES_PER_DOCUMENT];
        for (int i = 0; i < of.length; i++) {
          of[i] = texts.readLine();
        }
        float[][] v = vectors ? read(numbers, of.length) : null;
        each.document(n, filters.readLine().split(" "), of, v);
      }
    }
  }

  List<String[]> questions(int n) throws IOException {
    List<String[]> questions = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(dir.resolve("questions.txt"))) {
      while (questions.size() < n) {
        questions.add(lines.readLine().split(" "));
      }
    }
    return questions;
  }

  List<String[]> phrases(String kind) throws IOException {
    List<String[]> phrases = new ArrayList<>();
    for (String line : Files.readAllLines(dir.resolve("phrases.txt"))) {
      String[] parts = line.split("\t");
      if (parts[0].equals(kind)) {
        phrases.add(parts[1].split(" "));
      }
    }
    return phrases;
  }

  float[][] questionVectors(int n) throws IOException {
    try (DataInputStream numbers =
        new DataInputStream(Files.newInputStream(dir.resolve("questions.f32")))) {
      return read(numbers, n);
    }
  }

  private float[][] read(DataInputStream in, int n) throws IOException {
    byte[] raw = new byte[4 * n * dims];
    in.readFully(raw);
    ByteBuffer buffer = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
    float[][] vectors = new float[n][dims];
    for (float[] v : vectors) {
      buffer.asFloatBuffer().get(v);
      buffer.position(buffer.position() + 4 * dims);
    }
    return vectors;
  }
}
