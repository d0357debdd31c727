/** Keys that could only read controllers read the archive instead: no read-only permission opens a command. */
export const sql = `
ALTER TABLE api_key DROP CONSTRAINT api_key_permissions_check;
UPDATE api_key SET permissions = array_replace(permissions, 'edge-device:read', 'measurement:read')
WHERE 'edge-device:read' = ANY(permissions);
ALTER TABLE api_key ADD CONSTRAINT api_key_permissions_check CHECK (
  cardinality(permissions) > 0
  AND permissions <@ ARRAY['edge-device:read_write', 'measurement:read', 'ticket:read', 'ticket:read_write']
);
`
