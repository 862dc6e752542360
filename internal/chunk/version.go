package chunk

// Version is part of a revision's pipeline: a change of what extraction, outline
// or Split give for some text must change it, so that the next sync indexes
// again.
const Version = "1"
