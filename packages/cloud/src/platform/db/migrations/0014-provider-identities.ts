/** Identities at an OpenID Connect provider, and how a session was opened. */
export const sql = `
-- Counts the changes of the identities of an account, so that a sign-in in progress notices them.
ALTER TABLE user_account ADD COLUMN identity_version integer NOT NULL DEFAULT 0;

CREATE TABLE user_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  -- As the provider named it, to show. It identifies nobody.
  email text,
  linked_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
);

-- Sign-ins that the provider has confirmed; each counts once. The state is hashed.
CREATE TABLE used_sign_in_state (
  state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32),
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_sign_in_state_expiry ON used_sign_in_state (expires_at);

-- Null for a session that was opened with a password.
ALTER TABLE user_session
  ADD COLUMN issuer text,
  ADD COLUMN amr text[],
  ADD COLUMN acr text;

-- A sign-in through a provider that waits for a second factor of ours.
ALTER TABLE sign_in_challenge ADD COLUMN provider jsonb;
`
