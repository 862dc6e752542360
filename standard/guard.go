package standard

import (
	"errors"

	"github.com/seed-d3156d19/quarry/internal/audit"
	"github.com/seed-d3156d19/quarry/internal/directory"
)

// openGuard sets the file of groups and the audit log that the settings name, where none
// was given. Nothing is opened before a question: a store can be brought up to date while
// they cannot be used.
func openGuard(s *Settings) error {
	if s.Quarry.Directory == nil && s.Groups != "" {
		s.Quarry.Directory = directory.New(s.Groups)
	}
	if s.Quarry.Auditor != nil || s.Audit.Folder == "" {
		return nil
	}
	a := s.Audit
	s.Quarry.Auditor = audit.New(audit.Options{Dir: a.Folder, Questions: a.Questions, Principals: a.Principals, Days: a.Days, Sync: !a.Unsynced})
	switch {
	case !a.Optional:
		s.Quarry.AuditFailed = nil
	case s.Quarry.AuditFailed == nil:
		return errors.New("audit.required is false and nobody is told of what is not recorded: set Options.AuditFailed")
	}
	return nil
}

// CheckGuard tries what the settings say of groups and the audit log: it names each that
// there is, and says an error of the first that cannot be used.
func CheckGuard(s Settings) (names []string, err error) {
	if s.Groups != "" {
		names = append(names, "groups in "+s.Groups)
		err = directory.New(s.Groups).Check()
	}
	if s.Audit.Folder != "" {
		names = append(names, "audit log in "+s.Audit.Folder)
		if err == nil {
			err = audit.New(audit.Options{Dir: s.Audit.Folder, Questions: s.Audit.Questions, Principals: s.Audit.Principals}).Check()
		}
	}
	return names, err
}
