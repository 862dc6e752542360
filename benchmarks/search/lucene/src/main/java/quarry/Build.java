package quarry;

import java.io.IOException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Builds an index on one thread beside that of the merges, and measures it. */
final class Build {
  private final Main.Task task;
  private long cpu;
  private long wall;

  Build(Main.Task task) {
    this.task = task;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** What reads the corpus stands outside of what is measured. */
  private void part(Step step) throws IOException {
    long cpuBefore = Process.cpu();
    long wallBefore = System.nanoTime();
    step.run();
    cpu += Process.cpu() - cpuBefore;
    wall += System.nanoTime() - wallBefore;
  }

  String run() throws IOException {
    try (Directory directory = FSDirectory.open(task.index())) {
      IndexWriter writer = new IndexWriter(directory, Passage.config());
      task.corpus()
          .documents(
              task.vectors(),
              (number, filters, texts, vectors) ->
                  part(
                      () ->
                          writer.addDocuments(Passage.all(number, filters, texts, vectors))));
      part(writer::close); // commits, and waits for merges
    }
    return String.format(
        "{\"Parts\":[{\"Name\":\"%s\",\"CPU\":%d,\"Wall\":%d}],\"Bytes\":%d,\"Peak\":%d}",
        task.vectors() ? "vectors" : "keyword",
        cpu,
        wall,
        Process.diskUse(task.index()),
        Process.status("VmHWM"));
  }
}
