/** Who changed what about a request, and who is mentioned in its comments. */
export const sql = `
CREATE TABLE ticket_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id text NOT NULL REFERENCES ticket (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('created', 'imported', 'changed')),
  -- The changed field and its values as lists. People are ids, so that a removed person leaves no name behind.
  field text CHECK ((field IS NOT NULL) = (kind = 'changed')),
  before jsonb NOT NULL DEFAULT '[]',
  after jsonb NOT NULL DEFAULT '[]',
  -- Who did it, with the name at that time, as the author of a comment.
  actor_kind text NOT NULL,
  actor_id text,
  actor_name text
);
CREATE INDEX ticket_change_ticket ON ticket_change (ticket_id, id DESC);

CREATE TABLE ticket_mention (
  ticket_id text NOT NULL,
  comment_position integer NOT NULL,
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  -- As the comment writes it after the @.
  name text NOT NULL,
  PRIMARY KEY (ticket_id, comment_position, user_id),
  FOREIGN KEY (ticket_id, comment_position) REFERENCES ticket_comment (ticket_id, position) ON DELETE CASCADE
);
CREATE INDEX ticket_mention_user ON ticket_mention (user_id);
`
