-- Format 1. These tables are the record, the truth; package lanes has those of the index,
-- which is derived from the record and written with it.
--
-- Days are counted as document.Day, 0 is open. Names and keys of passages are the bytes of
-- their hex. A span is of bytes of the canonical text, so that is bytea and not text. Text
-- is compared byte by byte, as every store does. Ids of documents, revisions, sections and
-- passages are counted in meta, by writers one after the other: they ascend in the order
-- of the commits and are never given twice.
--
-- Every table of what documents say has a tenant, for row-level security (see security.sql).

CREATE TABLE meta (
  one         bool PRIMARY KEY CHECK (one),
  format      int NOT NULL,              -- the last migration
  identity    uuid NOT NULL DEFAULT gen_random_uuid(),
  sequence    bigint NOT NULL DEFAULT 0, -- of the last commit
  newest_seen int NOT NULL DEFAULT 0,    -- the day on which the newest revision was seen
  documents   bigint NOT NULL DEFAULT 0, -- the last id that was given, of each
  revisions   bigint NOT NULL DEFAULT 0,
  sections    bigint NOT NULL DEFAULT 0,
  passages    bigint NOT NULL DEFAULT 0
);

CREATE TABLE source (
  name   text COLLATE "C" PRIMARY KEY,
  kind   text NOT NULL,
  root   bytea NOT NULL, -- a folder's name need not be UTF-8
  synced text -- how its last syncs went, JSON of store.Sync; NULL is never
);

CREATE TABLE document (
  id      bigint PRIMARY KEY,
  source  text COLLATE "C" NOT NULL REFERENCES source (name),
  path    text COLLATE "C" NOT NULL,
  tenants text[] COLLATE "C" NOT NULL, -- of its newest revision, and of its failure where it failed
  class   int NOT NULL,                -- of its newest revision, 0 where it has none
  failed  int NOT NULL,                -- the day of its failure, 0 where it did not
  digest  bytea NOT NULL,              -- SHA-256 of the path, which may be longer than an index takes
  UNIQUE (source, digest)
);
CREATE INDEX document_path ON document USING hash (path);

-- One row per tenant and distinct set of readers and denials.
CREATE TABLE class (
  id     int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  access text COLLATE "C" NOT NULL, -- JSON of document.Access, sorted
  digest bytea NOT NULL,            -- SHA-256 of that, which may be longer than an index takes
  UNIQUE (tenant, digest)
);

CREATE TABLE revision (
  id             bigint PRIMARY KEY,    -- ascends in the order of being seen
  document       bigint NOT NULL REFERENCES document (id),
  hash           text COLLATE "C" NOT NULL,
  pipeline       text NOT NULL,
  seen           timestamptz NOT NULL,  -- to the microsecond
  seen_nanos     smallint NOT NULL,     -- and what is below it
  seen_day       int NOT NULL,
  format         text NOT NULL,
  title          text NOT NULL,
  status         text NOT NULL,
  effective_from int NOT NULL,          -- as the document states it
  effective_to   int NOT NULL,
  valid_from     int NOT NULL,          -- as store.Validity derives it
  valid_to       int NOT NULL,
  authority      bigint NOT NULL,
  tenant         text COLLATE "C" NOT NULL,
  class          int NOT NULL REFERENCES class (id),
  forgotten      bool NOT NULL,         -- its text is not kept any more
  undecided      bool NOT NULL,
  inferred       text NOT NULL,
  metadata       bytea NOT NULL,        -- JSON, as it was given
  passages       int NOT NULL,          -- how many it has, and how many tokens by field,
  lengths        bigint[] NOT NULL,
  headings       int NOT NULL,          -- and its sections below level 0
  outlines       bigint[] NOT NULL
);
CREATE INDEX revision_document ON revision (document, id);

-- The canonical text, apart since a search needs none of it; not compressed, so that a span
-- of it is read without the rest.
CREATE TABLE content (
  revision bigint PRIMARY KEY REFERENCES revision (id) ON DELETE CASCADE,
  tenant   text COLLATE "C" NOT NULL,
  text     bytea NOT NULL,
  pages    int[] NOT NULL, -- page and offset of each
  lines    int[] NOT NULL  -- span, page and box of each
);
ALTER TABLE content ALTER COLUMN text SET STORAGE EXTERNAL;

CREATE TABLE section (
  id          bigint PRIMARY KEY,
  revision    bigint NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  document    bigint NOT NULL,
  n           int NOT NULL, -- 0 is the document itself
  tenant      text COLLATE "C" NOT NULL,
  parent      int NOT NULL,
  level       int NOT NULL,
  heading     text NOT NULL,
  number      text NOT NULL,
  path        text[],
  span_from   int NOT NULL,
  span_to     int NOT NULL,
  body_from   int NOT NULL,
  body_to     int NOT NULL,
  description text NOT NULL,
  terms       bytea NOT NULL, -- see package terms
  UNIQUE (revision, n)
);
CREATE INDEX section_document ON section (document);

-- A passage of a document with one content key, context and set of terms, as one run of its
-- revisions holds it: those from first on and before gone. A new revision that leaves a
-- passage alone writes nothing here; one that leaves it out sets gone.
CREATE TABLE passage (
  id       bigint PRIMARY KEY,
  document bigint NOT NULL REFERENCES document (id),
  tenant   text COLLATE "C" NOT NULL,
  name     bytea NOT NULL,  -- the passage's id
  key      bytea NOT NULL,  -- content key
  digest   bytea NOT NULL,  -- of key, context and terms
  context  text NOT NULL,
  terms    bytea NOT NULL,  -- see package terms
  first    bigint NOT NULL, -- revision
  gone     bigint NOT NULL  -- revision; 9223372036854775807 while the newest one holds it
);
CREATE INDEX passage_document ON passage (document);
CREATE INDEX passage_name ON passage (name, tenant);
CREATE INDEX passage_key ON passage (key, tenant) INCLUDE (id, name);

-- Where the passages of a revision stand, in the order of its text.
CREATE TABLE occurrence (
  revision  bigint NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  n         int NOT NULL,
  passage   bigint NOT NULL,
  tenant    text COLLATE "C" NOT NULL,
  section   int NOT NULL, -- n of section
  kind      text NOT NULL,
  span_from int NOT NULL,
  span_to   int NOT NULL,
  tokens    int NOT NULL,
  PRIMARY KEY (revision, n)
);
CREATE INDEX occurrence_passage ON occurrence (passage, revision);

-- On which days which revision of a document is the one in force, made with each change
-- from the rule of all stores (package rules), so that a question needs no more than a
-- comparison of days. variants says for which kinds of views, as a set of bits (see
-- variant); most documents have one row. The tenant is that of the document's newest
-- revision; class is 0, which admits nobody, where the revision in force is of another.
CREATE TABLE in_force (
  document   bigint NOT NULL REFERENCES document (id),
  revision   bigint NOT NULL,
  variants   smallint NOT NULL,
  since      int NOT NULL,  -- [since, until)
  until      int NOT NULL,
  tenant     text COLLATE "C" NOT NULL,
  class      int NOT NULL,
  newest     int NOT NULL,  -- class of the newest revision, drafts among them
  source     text COLLATE "C" NOT NULL,
  forgotten  bool NOT NULL,
  attributes jsonb,         -- NULL for none
  passages   int NOT NULL,  -- as in revision
  lengths    bigint[] NOT NULL,
  headings   int NOT NULL,
  outlines   bigint[] NOT NULL,
  PRIMARY KEY (document, revision, since, variants)
);
CREATE INDEX in_force_tenant ON in_force (tenant, document);
CREATE INDEX in_force_revision ON in_force (revision);

-- A document's latest state, where that is a failure.
CREATE TABLE failure (
  document   bigint PRIMARY KEY REFERENCES document (id),
  hash       text COLLATE "C" NOT NULL,
  pipeline   text NOT NULL,
  reason     text NOT NULL,
  seen       timestamptz NOT NULL,
  seen_nanos smallint NOT NULL,
  seen_day   int NOT NULL,
  tenant     text COLLATE "C" NOT NULL,
  class      int NOT NULL REFERENCES class (id)
);

-- The paths that a revision supersedes, in its own source and tenant.
CREATE TABLE supersedes (
  revision bigint NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  document bigint NOT NULL, -- that the revision is of
  path     text COLLATE "C" NOT NULL
);
CREATE INDEX supersedes_revision ON supersedes (revision);
CREATE INDEX supersedes_path ON supersedes USING hash (path); -- however long
CREATE INDEX supersedes_document ON supersedes (document);

-- What extraction reported of a revision and what stands in its text.
CREATE TABLE finding (
  revision   bigint PRIMARY KEY REFERENCES revision (id) ON DELETE CASCADE,
  tenant     text COLLATE "C" NOT NULL,
  suspect    bool NOT NULL,  -- the extraction has doubts
  extraction bytea NOT NULL, -- JSON of document.Extraction
  findings   bytea NOT NULL  -- JSON of document.Findings
);
CREATE INDEX finding_suspect ON finding (revision) WHERE suspect;

-- What other documents call the document of a revision.
CREATE TABLE name (
  revision bigint NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  tenant   text COLLATE "C" NOT NULL,
  name     text COLLATE "C" NOT NULL
);
CREATE INDEX name_revision ON name (revision);
CREATE INDEX name_name ON name USING hash (name); -- however long

-- Embedding models; the oldest is the one in force. Each has a table of its vectors, vector_ID
-- (see models.go). dropped are such tables, emptied, of models that are gone: an open view
-- may still read what was in them.
CREATE TABLE model (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  dims int NOT NULL,
  keys bigint NOT NULL DEFAULT 0, -- tenants and content keys that have vectors
  UNIQUE (name, dims)
);
CREATE TABLE dropped (
  model bigint PRIMARY KEY,
  at    timestamptz NOT NULL DEFAULT now()
);

-- Work shared by processes; token is '' until it is claimed.
CREATE TABLE job (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind     text NOT NULL,
  document bigint NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  token    text NOT NULL DEFAULT '',
  until    timestamptz NOT NULL DEFAULT '-infinity' -- end of the lease
);
CREATE INDEX job_document ON job (document);
CREATE INDEX job_kind ON job (kind, id);
