-- Format 6 of the local store. One file holds everything. The tables up to job
-- are the record, the truth; segment is the index, derived from the record and
-- written with it; vectors.sql holds the rest. Days are counted as document.Day, 0 is
-- open; times are RFC 3339 in UTC; ids and keys of passages are the bytes of their
-- hex. Encoded values end with a checksum; the other rows have theirs in the tables
-- at the end (see seal.go).

CREATE TABLE meta (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  sequence  INTEGER NOT NULL,           -- of the last commit
  documents INTEGER NOT NULL            -- how many there are, for the index to agree with
) STRICT;
INSERT INTO meta VALUES (1, 0, 0);

CREATE TABLE source (
  name   TEXT PRIMARY KEY,
  kind   TEXT NOT NULL,
  root   TEXT NOT NULL,
  synced TEXT NOT NULL DEFAULT '' -- when it was last compared whole; '' is never
) STRICT, WITHOUT ROWID;

CREATE TABLE document (
  id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
  source  TEXT NOT NULL REFERENCES source (name),
  path    TEXT NOT NULL,
  changed INTEGER NOT NULL,                  -- the commit that last touched it
  UNIQUE (source, path)
) STRICT;

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
  metadata       TEXT NOT NULL     -- JSON of document.Metadata
) STRICT;
CREATE INDEX revision_document ON revision (document, id);

-- What a revision is made of, apart so that a new validity does not write it again.
CREATE TABLE content (
  revision INTEGER PRIMARY KEY REFERENCES revision (id) ON DELETE CASCADE,
  outline  BLOB NOT NULL, -- the terms of the sections below level 0, encoded
  body     BLOB NOT NULL, -- sections, and passages where they stand, encoded
  text     TEXT NOT NULL  -- canonical
) STRICT;

-- The paths that a revision supersedes, in its own source and tenant.
CREATE TABLE supersedes (
  revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  path     TEXT NOT NULL,
  PRIMARY KEY (revision, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX supersedes_path ON supersedes (path, revision);

-- A row is a passage with one content key and one set of terms: a new revision
-- that leaves them alone shares the row; one that changes, say, only the title has
-- another row under the same passage id. The text stands in the revision.
CREATE TABLE passage (
  row      INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  id       BLOB NOT NULL,
  key      BLOB NOT NULL, -- content key
  digest   BLOB NOT NULL, -- of key and terms
  terms    BLOB NOT NULL  -- encoded
) STRICT;
CREATE INDEX passage_document ON passage (document);

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
  dims INTEGER NOT NULL,
  keys INTEGER NOT NULL -- how many have vectors, for the blocks to agree with
) STRICT;


CREATE TABLE job (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  kind     TEXT NOT NULL,
  document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  token    TEXT NOT NULL,   -- "" until claimed
  until    INTEGER NOT NULL -- end of the lease, Unix milliseconds; 0 until claimed
) STRICT;
CREATE INDEX job_document ON job (document);

-- Checksums of the rows of each document, and of tables that are sealed whole.
CREATE TABLE document_sum (
  document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
  sum      INTEGER NOT NULL
) STRICT;
CREATE TABLE table_sum (
  name TEXT PRIMARY KEY,
  sum  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who the store is, the same in its backups; see identity.go.
CREATE TABLE identity (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  bytes BLOB NOT NULL -- encoded
) STRICT;

-- What extraction reported of a revision and what stands in its text, apart since a
-- search needs none of it.
CREATE TABLE finding (
  revision   INTEGER PRIMARY KEY REFERENCES revision (id) ON DELETE CASCADE,
  suspect    INTEGER NOT NULL, -- 1 where the extraction has doubts
  extraction TEXT NOT NULL,    -- JSON of document.Extraction
  body       BLOB NOT NULL     -- references, labels and definitions, encoded
) STRICT;
CREATE INDEX finding_suspect ON finding (revision) WHERE suspect = 1;

-- What other documents call the document of a revision.
CREATE TABLE name (
  revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE,
  name     TEXT NOT NULL,
  PRIMARY KEY (revision, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_name ON name (name, revision);
