/** Sessions, links to set a password, and the count of failed sign-ins. */
export const sql = `
-- Null until an invited person sets a password.
ALTER TABLE user_account ALTER COLUMN password_hash DROP NOT NULL;
ALTER TABLE user_account ADD COLUMN last_seen_at timestamptz;

CREATE INDEX membership_organization ON membership (organization_id);

CREATE TABLE user_session (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX user_session_user ON user_session (user_id);
CREATE INDEX user_session_expiry ON user_session (expires_at);

CREATE TABLE invitation (
  user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- The subject is hashed, because people may type a password into the wrong field.
CREATE TABLE sign_in_failure (
  subject bytea PRIMARY KEY CHECK (octet_length(subject) = 32),
  failures integer NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX sign_in_failure_end ON sign_in_failure (ends_at);
`
