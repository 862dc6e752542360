-- The second lock on tenants, for every table that does not have it yet: whoever reads the
-- tables without owning them sees the rows of the tenant that its transaction names, and none
-- where it names none. The owner, who migrates and writes, is not bound (COPY into a table
-- that binds it is not possible); a view gives the owner's rights up where Options.Reader
-- names a role.
--
-- The setting is 't:' and the tenant's name, as the default tenant has the empty name and a
-- setting that was never made, or is over, may read as empty.
DO $$
DECLARE
  name text;
  one constant text := '(SELECT CASE WHEN starts_with(s, ''t:'') THEN substr(s, 3) END FROM current_setting(''quarry.tenant'', true) s)';
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND c.relkind = 'r' AND NOT c.relrowsecurity
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    IF name = 'document' THEN
      EXECUTE format('CREATE POLICY one_tenant ON document FOR SELECT USING (%s = ANY (tenants))', one);
    ELSIF EXISTS (SELECT FROM pg_attribute WHERE attrelid = format('%I', name)::regclass AND attname = 'tenant') THEN
      EXECUTE format('CREATE POLICY one_tenant ON %I FOR SELECT USING (tenant = %s)', name, one);
    ELSIF name IN ('meta', 'model') THEN -- say nothing of a document
      EXECUTE format('CREATE POLICY one_tenant ON %I FOR SELECT USING (true)', name);
    END IF; -- the others have no policy: nobody but the owner reads them
  END LOOP;
END $$;
