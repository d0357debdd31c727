/** Browsers that are notified about alerts, and the messages to them. Both end with the session. */
export const sql = `
CREATE TABLE push_subscription (
  id text PRIMARY KEY,
  endpoint text NOT NULL UNIQUE,
  session_id text NOT NULL REFERENCES user_session (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  p256dh bytea NOT NULL,
  auth bytea NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX push_subscription_session ON push_subscription (session_id);
CREATE INDEX push_subscription_user ON push_subscription (user_id);

CREATE TABLE push_message (
  id text PRIMARY KEY,
  organization_id text NOT NULL,
  subscription_id text NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
  payload text NOT NULL,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX push_message_due ON push_message (organization_id, due_at);
CREATE INDEX push_message_subscription ON push_message (subscription_id);
`
