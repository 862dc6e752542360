package quarry;

import java.nio.file.Files;
import java.nio.file.Path;

/** Builds an index of Lucene or measures one, as engine.Build and engine.Serve do in Go. */
public final class Main {
  /** What the comparing program says, in the order of its arguments. */
  record Task(
      boolean build,
      boolean open,
      boolean vectors,
      Corpus corpus,
      Path index,
      Path result,
      int questions,
      long capNanos,
      long warmNanos,
      int depth,
      int answers,
      String[] filters,
      String[] phraseKinds) {}

  public static void main(String[] args) throws Exception {
    long began = System.nanoTime();
    Task task =
        new Task(
            args[0].equals("build"),
            args[0].equals("open"),
            args[1].equals("vector"),
            new Corpus(Path.of(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4])),
            Path.of(args[5]),
            Path.of(args[6]),
            Integer.parseInt(args[7]),
            Long.parseLong(args[8]),
            Long.parseLong(args[9]),
            Integer.parseInt(args[10]),
            Integer.parseInt(args[11]),
            args[12].split(","),
            args[13].split(","));
    String json = task.build ? new Build(task).run() : new Serve(task, began).run();
    Files.writeString(task.result, json);
  }
}
