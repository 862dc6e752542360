package config

import (
	"fmt"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Sources are how places that documents come from are read.
type Sources struct {
	// Private allows addresses that are not of the public internet.
	Private bool
	// Site is how web sites are read.
	Site Site
	// Git is how repositories are read.
	Git Git
	// S3 is how buckets are read.
	S3 S3
	// Watch is when sources are looked at that are watched.
	Watch Watch
}

// Git is how repositories are read.
type Git struct {
	Commits, TimeoutSeconds int
}

// S3 is how buckets are read.
type S3 struct {
	URL, Region     string
	Objects         int
	TimeoutSeconds  int
	PatienceSeconds int
}

// Watch is when sources are looked at that are watched.
type Watch struct {
	PollSeconds, EverySeconds int
}

// Site is how web sites are read.
type Site struct {
	Pages           int
	DelaySeconds    float64
	TimeoutSeconds  int
	PatienceSeconds int
}

var defaultSources = Sources{Site: Site{Pages: 10_000, DelaySeconds: 0.5, TimeoutSeconds: 30, PatienceSeconds: 300}, Git: Git{Commits: 1, TimeoutSeconds: 600},
	S3: S3{Region: "us-east-1", Objects: 1_000_000, TimeoutSeconds: 60, PatienceSeconds: 300}, Watch: Watch{PollSeconds: 10, EverySeconds: 3600}}

// sourceKeys are the settings of places that documents come from.
var sourceKeys = []key{
	number("sources.removals", "The share of a source that one add or sync removes unasked; where more is gone from the source, it waits for --confirm-removals. Up to three documents are always removed. Above 0, at most 1, which never waits.",
		func(s *Settings) *float64 { return &s.Quarry.Removals }),
	seconds("sources.freshness", "Seconds after which quarry status calls a source late that was not compared since, and ends with exit code 4. 0: none is. Where it is set, a sync that finds nothing to do notes so after a quarter of it, at most every hour.",
		func(s *Settings) *time.Duration { return &s.Quarry.Freshness }),
	choice("sources.permissions", "Whether the permissions of files and folders bound who may read documents: off, or posix, by mode, owner and group (docs/ACCESS.md says how). On Linux only.",
		[]string{"off", "posix"}, func(s *Settings) *string { return &s.Quarry.Permissions }),
	choice("sources.series", "Whether dated and numbered files that are versions of one page, such as policy-v2.md and policy-v3.md, hold each until the next: auto or off. It is inferred only where their metadata says nothing of validity, version or date and their texts show it (docs/VALIDITY.md). Changing it makes the next add index everything again.",
		[]string{"auto", "off"}, func(s *Settings) *string { return &s.Quarry.Series }),
	text("sources.revisions", "Which revisions of a document are kept: all; last 3, so many of the newest; or a period such as 90 days, 18 months or 7 years, those in force in it. The one in force is always kept. The next add or sync removes the text of the others and their vectors, and what they held is found on no day any more.",
		func(s *Settings) *string { return &s.Quarry.Revisions }),
	boolean("sources.private", "Whether sources may be at addresses that are not of the public internet: this machine, private networks, link-local ones. true lets whoever answers for a source's host name have servers of your network read into the store.",
		func(s *Settings) *bool { return &s.Sources.Private }),

	whole("sources.site.pages", "Addresses of a site that are asked for at most; where there are more, nothing is removed.", func(s *Settings) *int { return &s.Sources.Site.Pages }),
	number("sources.site.delay", "Seconds between two requests to a host; a site's Crawl-delay counts where it is longer. 0 to 3600.",
		func(s *Settings) *float64 { return &s.Sources.Site.DelaySeconds }),
	whole("sources.site.timeout", "Seconds that one request may take, with what it gives. At most 3600.", func(s *Settings) *int { return &s.Sources.Site.TimeoutSeconds }),
	whole("sources.site.patience", "Seconds that one address is tried again while its site fails or asks to wait. At most 86400.",
		func(s *Settings) *int { return &s.Sources.Site.PatienceSeconds }),

	whole("sources.git.commits", "How many commits, back from the ref, are looked at for what files were before, when a repository is added: each content is a revision from its commit's day on, and questions as of a day see it. 1 is the present alone. At most 10000.",
		func(s *Settings) *int { return &s.Sources.Git.Commits }),
	whole("sources.git.timeout", "Seconds that one fetch may take. At most 86400.", func(s *Settings) *int { return &s.Sources.Git.TimeoutSeconds }),

	anyText("sources.s3.url", "Where the server is that keeps the buckets, such as https://minio.example.org. Empty: Amazon's. Requests are signed with the key in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, if there is one.",
		func(s *Settings) *string { return &s.Sources.S3.URL }),
	text("sources.s3.region", "The region of the buckets.", func(s *Settings) *string { return &s.Sources.S3.Region }),
	whole("sources.s3.objects", "Objects that a bucket may have below the prefix; of one that has more nothing is read.", func(s *Settings) *int { return &s.Sources.S3.Objects }),
	whole("sources.s3.timeout", "Seconds that one request may take, with what it gives. At most 3600.", func(s *Settings) *int { return &s.Sources.S3.TimeoutSeconds }),
	whole("sources.s3.patience", "Seconds that one request is tried again while the server fails or asks to wait. At most 86400.",
		func(s *Settings) *int { return &s.Sources.S3.PatienceSeconds }),

	whole("sources.watch.every", "Seconds after which sync --watch compares a source whether or not anything told of a change: all that sites are compared by. At most 604800.",
		func(s *Settings) *int { return &s.Sources.Watch.EverySeconds }),
	whole("sources.watch.poll", "Seconds after which a folder is compared on which the system tells of no changes, as where its limit of watches is reached. At most 604800.",
		func(s *Settings) *int { return &s.Sources.Watch.PollSeconds }),
}

// seconds is a duration of whole seconds, 0 for none.
func seconds(name, doc string, at func(*Settings) *time.Duration) key {
	return key{name: name, doc: doc, want: "a whole number of seconds, 0 or more", set: func(s *Settings, n *yaml.Node) bool {
		v, err := strconv.Atoi(n.Value)
		if err != nil || v < 0 || v > maxSeconds || n.ShortTag() != "!!int" {
			return false
		}
		*at(s) = time.Duration(v) * time.Second
		return true
	}, get: func(s *Settings) string { return strconv.Itoa(int(*at(s) / time.Second)) }}
}

// maxSeconds is a century.
const maxSeconds = 100 * 366 * 86400

func boolean(name, doc string, at func(*Settings) *bool) key {
	return key{name: name, doc: doc, want: "true or false", set: func(s *Settings, n *yaml.Node) bool {
		*at(s) = n.Value == "true"
		return n.ShortTag() == "!!bool"
	}, get: func(s *Settings) string { return fmt.Sprint(*at(s)) }}
}

func (s Sources) check() error {
	switch {
	case s.Site.DelaySeconds < 0 || s.Site.DelaySeconds > 3600:
		return fmt.Errorf("sources.site.delay is %g: give 0 to 3600 seconds", s.Site.DelaySeconds)
	case s.Site.TimeoutSeconds > 3600:
		return fmt.Errorf("sources.site.timeout is %d: give 1 to 3600 seconds", s.Site.TimeoutSeconds)
	case s.Site.PatienceSeconds > 86400:
		return fmt.Errorf("sources.site.patience is %d: give 1 to 86400 seconds", s.Site.PatienceSeconds)
	case s.Git.Commits > 10_000:
		return fmt.Errorf("sources.git.commits is %d: give 1 to 10000", s.Git.Commits)
	case s.Git.TimeoutSeconds > 86400:
		return fmt.Errorf("sources.git.timeout is %d: give 1 to 86400 seconds", s.Git.TimeoutSeconds)
	case s.S3.TimeoutSeconds > 3600:
		return fmt.Errorf("sources.s3.timeout is %d: give 1 to 3600 seconds", s.S3.TimeoutSeconds)
	case s.S3.PatienceSeconds > 86400:
		return fmt.Errorf("sources.s3.patience is %d: give 1 to 86400 seconds", s.S3.PatienceSeconds)
	case s.Watch.EverySeconds > 604800:
		return fmt.Errorf("sources.watch.every is %d: give 1 to 604800 seconds", s.Watch.EverySeconds)
	case s.Watch.PollSeconds > 604800:
		return fmt.Errorf("sources.watch.poll is %d: give 1 to 604800 seconds", s.Watch.PollSeconds)
	}
	return nil
}
