/** Memberships that wait for the person's consent, links per organization, and sessions that their owner can tell apart. */
export const sql = `
CREATE TABLE pending_membership (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization (id),
  site_id text,
  role text NOT NULL CHECK (role IN ('admin', 'manager', 'viewer')),
  CHECK ((role = 'admin') = (site_id IS NULL)),
  UNIQUE NULLS NOT DISTINCT (user_id, organization_id, site_id),
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX pending_membership_organization ON pending_membership (organization_id);

-- People who never set a password have not accepted anything yet.
INSERT INTO pending_membership (user_id, organization_id, site_id, role)
SELECT user_id, organization_id, site_id, role FROM membership
WHERE user_id IN (SELECT id FROM user_account WHERE password_hash IS NULL);
DELETE FROM membership WHERE user_id IN (SELECT id FROM user_account WHERE password_hash IS NULL);

CREATE TABLE account_link (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  -- The organization that the link invites to; null for a link that only sets a new password.
  organization_id text REFERENCES organization (id),
  -- True when only the owner of the address has seen the link.
  mailed boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (user_id, organization_id)
);
CREATE INDEX account_link_expiry ON account_link (expires_at);

-- Links of people in several organizations end: it is unknown who has seen them.
INSERT INTO account_link (token_hash, user_id, organization_id, mailed, expires_at)
SELECT token_hash, invitation.user_id, min(pending_membership.organization_id), false, expires_at
FROM invitation
LEFT JOIN pending_membership ON pending_membership.user_id = invitation.user_id
LEFT JOIN membership ON membership.user_id = invitation.user_id
GROUP BY token_hash, invitation.user_id, expires_at
HAVING count(DISTINCT COALESCE(membership.organization_id, pending_membership.organization_id)) = 1;
DROP TABLE invitation;

-- True when the password was set with a link that only the owner of the address has seen.
ALTER TABLE user_account ADD COLUMN password_by_mail boolean NOT NULL DEFAULT false;

ALTER TABLE user_session
  ADD COLUMN id text NOT NULL DEFAULT gen_random_uuid()::text UNIQUE,
  ADD COLUMN address text,
  ADD COLUMN browser text;

-- Browsers that signed in to an account before. The subject is a hash of both.
CREATE TABLE known_device (
  subject bytea PRIMARY KEY CHECK (octet_length(subject) = 32),
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX known_device_user ON known_device (user_id);
CREATE INDEX known_device_expiry ON known_device (expires_at);

-- Null for mail about an account.
ALTER TABLE mail ALTER COLUMN site_id DROP NOT NULL;
`
