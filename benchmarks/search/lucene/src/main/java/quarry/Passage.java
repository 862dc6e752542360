package quarry;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.similarities.BM25Similarity;

/** A passage as Lucene indexes it, one document each. */
final class Passage {
  static final String TEXT = "text";
  static final String VECTOR = "vector";
  static final String FILTER = "filter";
  static final String NUMBER = "number";
  static final String DOCUMENT = "document";
  static final BM25Similarity BM25 = new BM25Similarity(1.2f, 0.75f);

  private Passage() {}

  static IndexWriterConfig config() {
    return new IndexWriterConfig(new WhitespaceAnalyzer())
        .setSimilarity(BM25)
        .setRAMBufferSizeMB(256);
  }

  static List<Document> all(int number, String[] filters, String[] texts, float[][] vectors) {
    List<Document> passages = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      Document d = new Document();
      d.add(new NumericDocValuesField(NUMBER, (long) number * texts.length + i));
      d.add(new StringField(DOCUMENT, Integer.toString(number), Field.Store.NO));
      for (String f : filters) {
        d.add(new StringField(FILTER, f, Field.Store.NO));
      }
      if (vectors == null) {
        d.add(new TextField(TEXT, texts[i], Field.Store.NO)); // with positions
      } else {
        d.add(new KnnFloatVectorField(VECTOR, vectors[i], VectorSimilarityFunction.DOT_PRODUCT));
      }
      passages.add(d);
    }
    return passages;
  }
}
