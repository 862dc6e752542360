-- The index. It is made from the passages and sections that the catalogue holds, in the
-- transaction that writes them. Rows are counted in blocks of 4,096: row / 4096 is the
-- block, row % 4096 the place in it. A row is a passage or a section, by its id.

-- Which rows of a block hold a term, and how often: all that BM25 needs to know of a term.
-- lane is 0 for words of passages, 1 for identifiers of passages, 2 for words of sections.
-- A search reads the blocks of its terms by the primary key and nothing else.
CREATE TABLE posting (
  tenant  text COLLATE "C" NOT NULL,
  lane    smallint NOT NULL,
  term    text COLLATE "C" NOT NULL,
  block   bigint NOT NULL,
  rows    bytea NOT NULL, -- places, two bytes each, or one bit for each place (see list.go)
  weights bytea NOT NULL, -- of each row: frequencies by field, or the identifier's weight
  PRIMARY KEY (tenant, lane, term, block)
) WITH (fillfactor = 85, toast_tuple_target = 8160);
ALTER TABLE posting ALTER COLUMN rows SET STORAGE PLAIN, ALTER COLUMN weights SET STORAGE MAIN;

-- What is known of the rows of a block: which document holds each, from which revision to
-- which, and how long it is (see block.go). version grows when that changes, embedded also
-- when passages of the block get vectors, so that a process keeps what it has decoded.
CREATE SEQUENCE block_version;
CREATE TABLE block (
  tenant   text COLLATE "C" NOT NULL,
  sections boolean NOT NULL, -- rows are sections, not passages
  block    bigint NOT NULL,
  version  bigint NOT NULL,
  embedded bigint NOT NULL,
  body     bytea NOT NULL,
  PRIMARY KEY (tenant, sections, block)
);

-- The words of passages, to find those that are spelt nearly alike. length counts code points.
CREATE TABLE term (
  tenant text COLLATE "C" NOT NULL,
  length smallint NOT NULL,
  term   text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, length, term)
);

-- What a search needs of the passages that it finds, and of those whose vectors it compares,
-- without their texts and terms.
CREATE INDEX passage_row ON passage (tenant, id) INCLUDE (name, key);
