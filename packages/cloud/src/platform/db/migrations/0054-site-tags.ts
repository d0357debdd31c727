/**
 * Tags of sites, and roles on all sites or on those with a tag. Such a role has a word of its own, so that a process of an
 * older version, which runs until it is restarted, gives nothing for it.
 */
export const sql = `
CREATE TABLE site_tag (
  organization_id text NOT NULL,
  site_id text NOT NULL,
  tag text NOT NULL CHECK (tag ~ '\\S' AND length(tag) <= 50),
  PRIMARY KEY (site_id, tag),
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX site_tag_organization ON site_tag (organization_id, tag);

${['membership', 'pending_membership']
  .map(
    (table) => `
ALTER TABLE ${table}
  ADD COLUMN group_role text CHECK (group_role IN ('manager', 'viewer')),
  ADD COLUMN site_tag text,
  DROP CONSTRAINT ${table}_role_check,
  DROP CONSTRAINT ${table}_check,
  DROP CONSTRAINT ${table}_user_id_organization_id_site_id_key,
  ADD CONSTRAINT ${table}_role_check CHECK (role IN ('admin', 'manager', 'viewer', 'group')),
  ADD CONSTRAINT ${table}_place_check CHECK ((role IN ('admin', 'group')) = (site_id IS NULL)),
  ADD CONSTRAINT ${table}_group_check CHECK ((role = 'group') = (group_role IS NOT NULL) AND (site_tag IS NULL OR role = 'group')),
  ADD CONSTRAINT ${table}_place_key UNIQUE NULLS NOT DISTINCT (user_id, organization_id, site_id, site_tag);`,
  )
  .join('\n')}

-- Open streams of the organization end when their reader has lost access.
CREATE FUNCTION tell_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('plantroom_change', 'access:' || COALESCE(NEW.organization_id, OLD.organization_id));
  RETURN NULL;
END
$$;
CREATE TRIGGER membership_change AFTER INSERT OR UPDATE OR DELETE ON membership
  FOR EACH ROW EXECUTE FUNCTION tell_access_change();
CREATE TRIGGER site_tag_change AFTER INSERT OR UPDATE OR DELETE ON site_tag
  FOR EACH ROW EXECUTE FUNCTION tell_access_change();
`
