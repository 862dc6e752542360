-- The index. It is derived, and apart so that a file of an older format gets it anew.

-- The index of the documents that the commits first..last touched. Of a document
-- that stands in several segments the one in the last counts.
CREATE TABLE segment (
  id    INTEGER PRIMARY KEY AUTOINCREMENT, -- names its content for ever
  first INTEGER NOT NULL,
  last  INTEGER NOT NULL,
  docs  INTEGER NOT NULL, -- documents in it
  dead  INTEGER NOT NULL, -- about how many of them stand in a later one
  size  INTEGER NOT NULL, -- of all its parts without their checksums, bytes
  rows  BLOB NOT NULL     -- the documents, encoded
) STRICT;
CREATE INDEX segment_last ON segment (last);

-- A segment in the order of its parts, some megabytes each.
CREATE TABLE part (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  segment INTEGER NOT NULL REFERENCES segment (id) ON DELETE CASCADE,
  body    BLOB NOT NULL
) STRICT;
CREATE INDEX part_segment ON part (segment);

-- Which documents of a segment hold which passages, by the hashes of their ids and of
-- their content keys; see holders.go.
CREATE TABLE holder (
  segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
  ids     BLOB NOT NULL, -- encoded
  keys    BLOB NOT NULL  -- encoded
) STRICT;
