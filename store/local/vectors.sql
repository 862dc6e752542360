-- The vectors of a content key, of one model. The row never changes: vectors that
-- replace others have another id.
CREATE TABLE vector (
  id     INTEGER PRIMARY KEY AUTOINCREMENT, -- names its content for ever
  model  INTEGER NOT NULL REFERENCES model (id),
  key    BLOB NOT NULL,
  floats BLOB NOT NULL, -- one vector behind the other, encoded
  UNIQUE (model, key)
) STRICT;

-- Their codes, derived: what is searched, a megabyte in a row so that reading them is
-- copying. The ids of a model's blocks do not overlap.
CREATE TABLE block (
  id    INTEGER PRIMARY KEY AUTOINCREMENT, -- names its content for ever
  model INTEGER NOT NULL REFERENCES model (id),
  first INTEGER NOT NULL, -- the smallest id of its vectors
  size  INTEGER NOT NULL, -- of body, bytes
  keys  BLOB NOT NULL,    -- content keys, with the id and the number of the vectors of each, encoded
  body  BLOB NOT NULL     -- the codes, in the order of keys, encoded
) STRICT;
CREATE UNIQUE INDEX block_first ON block (model, first);
