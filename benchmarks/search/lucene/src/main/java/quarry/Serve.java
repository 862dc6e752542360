package quarry;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Opens an index and measures everything but its building. */
final class Serve {
  private final Main.Task task;
  private final long began;
  private String lane;
  private List<String[]> questions;
  private float[][] vectors;
  private DirectoryReader reader;
  private IndexSearcher searcher;

  Serve(Main.Task task, long began) {
    this.task = task;
    this.began = began;
    this.lane = task.vectors() ? "vector" : "keyword";
  }

  String run() throws Exception {
    try (Directory directory = FSDirectory.open(task.index())) {
      use(DirectoryReader.open(directory));
      questions = task.corpus().questions(task.questions());
      vectors = task.corpus().questionVectors(task.questions());
      ask(task.filters()[0], 0);
      String ready =
          String.format(
              "{\"Lane\":\"%s\",\"CPU\":%d,\"Wall\":%d}",
              lane, Process.cpu(), System.nanoTime() - began);
      if (task.open()) {
        return String.format("{\"Ready\":[%s]}", ready);
      }
      List<String> answers = new ArrayList<>();
      List<String> cells = new ArrayList<>();
      for (String filter : task.filters()) {
        answers.add(answers(filter));
        for (int threads = 1; threads <= 2; threads++) {
          run(filter, threads, task.warmNanos(), false);
          cells.add(run(filter, threads, task.capNanos(), true));
        }
      }
      if (!task.vectors()) {
        lane = "phrase";
        for (String kind : task.phraseKinds()) {
          questions = task.corpus().phrases(kind);
          for (int threads = 1; threads <= 2; threads++) {
            run(kind, threads, task.warmNanos(), false);
            cells.add(run(kind, threads, task.capNanos(), true));
          }
        }
      }
      String memory =
          String.format(
              "{\"Live\":%d,\"Anonymous\":%d,\"Mapped\":%d,\"Peak\":%d}",
              Process.live(),
              Process.status("RssAnon"),
              Process.status("RssFile"),
              Process.status("VmHWM"));
      List<String> changes = task.vectors() ? List.of() : changes(directory);
      return String.format(
          "{\"Ready\":[%s],\"Answers\":%s,\"Cells\":%s,\"Memory\":%s,\"Changes\":%s}",
          ready, answers, cells, memory, changes);
    }
  }

  private void use(DirectoryReader opened) {
    reader = opened;
    searcher = new IndexSearcher(opened);
    searcher.setSimilarity(Passage.BM25);
  }

  /** The numbers and scores of the best passages, as JSON would have them in order. */
  private record Hits(long[] numbers, float[] scores) {
    @Override
    public String toString() {
      StringBuilder b = new StringBuilder("[");
      for (int i = 0; i < numbers.length; i++) {
        b.append(i == 0 ? "" : ",");
        b.append(String.format("{\"Passage\":%d,\"Score\":%s}", numbers[i], scores[i]));
      }
      return b.append("]").toString();
    }
  }

  private Hits ask(String filter, int question) throws IOException {
    int n = question % questions.size();
    boolean all = filter.equals(task.filters()[0]);
    Query keep = all ? null : new TermQuery(new Term(Passage.FILTER, filter));
    if (task.vectors()) {
      return search(new KnnFloatVectorQuery(Passage.VECTOR, vectors[n], task.depth(), keep));
    }
    if (lane.equals("phrase")) {
      return search(new PhraseQuery(Passage.TEXT, questions.get(n)));
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (String term : questions.get(n)) {
      any.add(new TermQuery(new Term(Passage.TEXT, term)), BooleanClause.Occur.SHOULD);
    }
    if (all) {
      return search(any.build());
    }
    BooleanQuery.Builder under = new BooleanQuery.Builder();
    under.add(any.build(), BooleanClause.Occur.MUST);
    under.add(keep, BooleanClause.Occur.FILTER);
    return search(under.build());
  }

  private Hits search(Query query) throws IOException {
    TopDocs top = searcher.search(query, task.depth());
    Hits hits = new Hits(new long[top.scoreDocs.length], new float[top.scoreDocs.length]);
    List<LeafReaderContext> leaves = reader.leaves();
    for (int i = 0; i < top.scoreDocs.length; i++) {
      ScoreDoc found = top.scoreDocs[i];
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(found.doc, leaves));
      NumericDocValues numbers = leaf.reader().getNumericDocValues(Passage.NUMBER);
      numbers.advanceExact(found.doc - leaf.docBase);
      hits.numbers[i] = numbers.longValue();
      hits.scores[i] = found.score;
    }
    return hits;
  }

  private String answers(String filter) throws IOException {
    List<Hits> hits = new ArrayList<>();
    long from = System.nanoTime();
    for (int i = 0; i < Math.min(task.answers(), questions.size()); i++) {
      if (System.nanoTime() - from > task.capNanos()) {
        break;
      }
      hits.add(ask(filter, i));
    }
    return String.format("{\"Lane\":\"%s\",\"Filter\":\"%s\",\"Hits\":%s}", lane, filter, hits);
  }

  /** Asks the questions in turn until the time is up; once only, or again and again. */
  private String run(String filter, int threads, long limit, boolean once) throws Exception {
    AtomicInteger next = new AtomicInteger();
    List<List<Long>> latencies = new ArrayList<>();
    List<Exception> failed = new ArrayList<>();
    List<Thread> all = new ArrayList<>();
    long from = System.nanoTime();
    for (int t = 0; t < threads; t++) {
      List<Long> own = new ArrayList<>();
      latencies.add(own);
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() - from < limit) {
                  int question = next.getAndIncrement();
                  if (once && question >= questions.size()) {
                    return;
                  }
                  long asked = System.nanoTime();
                  try {
                    ask(filter, question);
                  } catch (Exception e) {
                    synchronized (failed) {
                      failed.add(e);
                    }
                    return;
                  }
                  own.add(System.nanoTime() - asked);
                }
              });
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    long wall = System.nanoTime() - from;
    if (!failed.isEmpty()) {
      throw failed.get(0);
    }
    return String.format(
        "{\"Lane\":\"%s\",\"Filter\":\"%s\",\"Threads\":%d,\"Wall\":%d,\"Latencies\":%s}",
        lane,
        filter,
        threads,
        wall,
        latencies.stream().flatMap(List::stream).collect(Collectors.toList()));
  }

  /** From the change of one document until a question finds it, committed as well. */
  private List<String> changes(Directory directory) throws IOException {
    int number = task.corpus().passages() / Corpus.PASSAGES_PER_DOCUMENT / 2;
    String[][] document = new String[2][];
    task.corpus()
        .documents(
            false,
            (n, filters, passages, none) -> {
              if (n == number) {
                document[0] = filters;
                document[1] = passages;
              }
            });
    String text = document[1][0];
    List<String> times = new ArrayList<>();
    try (IndexWriter writer = new IndexWriter(directory, Passage.config())) {
      for (int i = 0; i < 7; i++) {
        String term = "xqxq" + (char) ('a' + i);
        document[1][0] = text + " " + term;
        long from = System.nanoTime();
        writer.updateDocuments(
            new Term(Passage.DOCUMENT, Integer.toString(number)),
            Passage.all(number, document[0], document[1], null));
        writer.commit();
        use(DirectoryReader.openIfChanged(reader, writer));
        Hits hits = search(new TermQuery(new Term(Passage.TEXT, term)));
        times.add(Long.toString(System.nanoTime() - from));
        if (hits.numbers.length != 1
            || hits.numbers[0] != (long) number * Corpus.PASSAGES_PER_DOCUMENT) {
          throw new IOException("the changed passage is not what is found");
        }
      }
    }
    return times;
  }
}
