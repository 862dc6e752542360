-- Format 1 of the local store. One file holds everything; what searches need in
-- memory is rebuilt from it. Days are counted as document.Day, 0 is open; times
-- are RFC 3339 in UTC; ids and keys of passages are the bytes of their hex.

CREATE TABLE meta (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  sequence INTEGER NOT NULL            -- of the last commit
) STRICT;
INSERT INTO meta VALUES (1, 0);

CREATE TABLE source (
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  root TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE document (
  id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: see tombstone
  source  TEXT NOT NULL REFERENCES source (name),
  path    TEXT NOT NULL,
  changed INTEGER NOT NULL,                  -- the commit that last touched it
  UNIQUE (source, path)
) STRICT;
CREATE INDEX document_changed ON document (changed);

-- Documents that were removed, for readers that hold an older commit in memory.
CREATE TABLE tombstone (
  document INTEGER PRIMARY KEY,
  changed  INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstone_changed ON tombstone (changed);

-- One row per distinct set of readers and denials.
CREATE TABLE class (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  access TEXT NOT NULL UNIQUE -- JSON of document.Access, sorted
) STRICT;

CREATE TABLE revision (
  id             INTEGER PRIMARY KEY AUTOINCREMENT, -- grows in the order of being seen
  document       INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  hash           TEXT NOT NULL,
  pipeline       TEXT NOT NULL,
  seen           TEXT NOT NULL,
  seen_day       INTEGER NOT NULL,
  format         TEXT NOT NULL,
  title          TEXT NOT NULL,
  status         TEXT NOT NULL,
  effective_from INTEGER NOT NULL, -- as the document states it
  effective_to   INTEGER NOT NULL,
  valid_from     INTEGER NOT NULL, -- as store.Validity derives it
  valid_to       INTEGER NOT NULL,
  authority      INTEGER NOT NULL,
  tenant         TEXT NOT NULL,
  class          INTEGER NOT NULL REFERENCES class (id),
  metadata       TEXT NOT NULL,    -- JSON of document.Metadata
  passages       INTEGER NOT NULL, -- how many
  headings       INTEGER NOT NULL, -- sections without the document itself
  sections       TEXT NOT NULL,    -- JSON of []document.Section
  outline        BLOB NOT NULL,    -- the sections' terms, encoded
  text           TEXT NOT NULL     -- canonical
) STRICT;
CREATE INDEX revision_document ON revision (document, id);

-- The paths that a revision supersedes, in its own source and tenant.
CREATE TABLE supersedes (
  revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  path     TEXT NOT NULL,
  PRIMARY KEY (revision, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX supersedes_path ON supersedes (path, revision);

-- A row is a passage with one context and one set of terms: a new revision that
-- leaves them alone shares the row; one that changes, say, only the title has
-- another row under the same passage id.
CREATE TABLE passage (
  row      INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  id       BLOB NOT NULL,
  digest   BLOB NOT NULL, -- of everything else in the row
  key      BLOB NOT NULL, -- content key
  kind     TEXT NOT NULL,
  context  TEXT NOT NULL,
  text     TEXT NOT NULL,
  tokens   INTEGER NOT NULL,
  terms    BLOB NOT NULL, -- encoded
  UNIQUE (id, digest)
) STRICT;
CREATE INDEX passage_document ON passage (document);
CREATE INDEX passage_key ON passage (key);

CREATE TABLE occurrence (
  revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  ordinal  INTEGER NOT NULL, -- in the order of the text
  passage  INTEGER NOT NULL REFERENCES passage (row) ON DELETE CASCADE,
  section  INTEGER NOT NULL,
  start    INTEGER NOT NULL, -- span, in bytes of the revision's text
  stop     INTEGER NOT NULL,
  PRIMARY KEY (revision, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX occurrence_passage ON occurrence (passage, revision);

-- A document's latest state, where that is a failure.
CREATE TABLE failure (
  document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
  hash     TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  reason   TEXT NOT NULL,
  seen     TEXT NOT NULL,
  seen_day INTEGER NOT NULL,
  tenant   TEXT NOT NULL,
  class    INTEGER NOT NULL REFERENCES class (id)
) STRICT;

CREATE TABLE model (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  dims INTEGER NOT NULL
) STRICT;

CREATE TABLE vector (
  id      INTEGER PRIMARY KEY,
  model   INTEGER NOT NULL REFERENCES model (id),
  key     BLOB NOT NULL,    -- content key
  changed INTEGER NOT NULL, -- the commit that stored it
  windows BLOB NOT NULL,    -- the vectors of all windows, encoded
  UNIQUE (model, key)
) STRICT;
CREATE INDEX vector_key ON vector (key, model);
CREATE INDEX vector_changed ON vector (changed);

CREATE TABLE job (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  kind     TEXT NOT NULL,
  document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  token    TEXT NOT NULL,   -- "" until claimed
  until    INTEGER NOT NULL -- end of the lease, Unix milliseconds; 0 until claimed
) STRICT;
CREATE INDEX job_document ON job (document);
