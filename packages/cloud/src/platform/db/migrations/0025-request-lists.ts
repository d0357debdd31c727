/** The parts of a request that are searched. */
const REQUEST = 0
const COMMENTS = 1
// A package may contain a description of 90 MB.
const SEARCHED_CHARACTERS = 10_000
const SEARCHED_CHARACTERS_OF_COMMENTS = 100_000

/** The searched text of a row of the table `ticket`, in lower case. */
const textOf = (row: string) => `lower(concat_ws(E'\\n', ${row}.title, ${row}.external_id, ${row}.reporter_email,
      ${row}.reporter_name, ${row}.reporter_phone, left(${row}.description, ${SEARCHED_CHARACTERS})))`
/** The searched text of all rows of a table like `ticket_comment` that belong to one request. */
const commentsOf = (row: string) =>
  `left(string_agg(lower(left(${row}.content, ${SEARCHED_CHARACTERS})), E'\\n' ORDER BY ${row}.position),
      ${SEARCHED_CHARACTERS_OF_COMMENTS})`

/** Lists of requests: their order, a prepared text for the search, saved views, and what a change of many can undo. */
export const sql = `
CREATE INDEX ticket_created ON ticket (site_id, created_at, number);
CREATE INDEX ticket_changed ON ticket (site_id, (coalesce(updated_at, created_at)), number);

-- What people search for, in lower case and by site, so that a search compares bytes and reads no other site. In two
-- rows at most, because a search costs as much by row as by kilobyte.
CREATE TABLE ticket_text (
  site_id text NOT NULL,
  ticket_id text NOT NULL,
  -- ${REQUEST}: the request itself; ${COMMENTS}: its comments.
  part smallint NOT NULL,
  text text NOT NULL
);
INSERT INTO ticket_text SELECT site_id, id, ${REQUEST}, ${textOf('ticket')} FROM ticket;
INSERT INTO ticket_text
  SELECT site_id, ticket_id, ${COMMENTS}, ${commentsOf('ticket_comment')}
  FROM ticket_comment JOIN ticket ON ticket.id = ticket_comment.ticket_id GROUP BY site_id, ticket_id;
CREATE INDEX ticket_text_site ON ticket_text (site_id);
CREATE UNIQUE INDEX ticket_text_ticket ON ticket_text (ticket_id, part);

-- Triggers, because imports, comments and changes of a request all have to keep the text. For whole statements where
-- an import adds many rows.
CREATE FUNCTION ticket_text_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ticket_text SELECT site_id, id, ${REQUEST}, ${textOf('added')} FROM added;
  RETURN NULL;
END $$;
CREATE FUNCTION ticket_text_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ticket_text SET text = ${textOf('NEW')} WHERE ticket_id = NEW.id AND part = ${REQUEST};
  RETURN NULL;
END $$;
CREATE FUNCTION ticket_text_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ticket_text USING removed WHERE ticket_text.ticket_id = removed.id;
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_text_added AFTER INSERT ON ticket
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ticket_text_added();
CREATE TRIGGER ticket_text_changed
  AFTER UPDATE OF title, external_id, description, reporter_email, reporter_name, reporter_phone ON ticket
  FOR EACH ROW EXECUTE FUNCTION ticket_text_changed();
CREATE TRIGGER ticket_text_removed AFTER DELETE ON ticket
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION ticket_text_removed();

CREATE FUNCTION comment_text_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ticket_text
    SELECT site_id, added.ticket_id, ${COMMENTS}, ${commentsOf('added')}
    FROM added JOIN ticket ON ticket.id = added.ticket_id GROUP BY site_id, added.ticket_id
    ON CONFLICT (ticket_id, part) DO UPDATE
    SET text = left(ticket_text.text || E'\\n' || EXCLUDED.text, ${SEARCHED_CHARACTERS_OF_COMMENTS});
  RETURN NULL;
END $$;
-- A comment that is changed or removed takes its words with it.
CREATE FUNCTION comment_text_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ticket_text SET text = coalesce((
    SELECT ${commentsOf('ticket_comment')} FROM ticket_comment WHERE ticket_comment.ticket_id = OLD.ticket_id
  ), '') WHERE ticket_id = OLD.ticket_id AND part = ${COMMENTS};
  RETURN NULL;
END $$;
CREATE TRIGGER comment_text_added AFTER INSERT ON ticket_comment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION comment_text_added();
CREATE TRIGGER comment_text_changed AFTER UPDATE OF content OR DELETE ON ticket_comment
  FOR EACH ROW EXECUTE FUNCTION comment_text_changed();

-- A name for filters and an order of the list.
CREATE TABLE request_view (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  -- Whose view it is; null when everybody on the site has it.
  user_id text REFERENCES user_account (id) ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) <= 255),
  -- The query of the address.
  query text NOT NULL CHECK (length(query) <= 2000),
  created_at timestamptz NOT NULL,
  CONSTRAINT request_view_name UNIQUE NULLS NOT DISTINCT (site_id, user_id, name)
);
CREATE INDEX request_view_user ON request_view (user_id) WHERE user_id IS NOT NULL;

-- The values before a change of many requests, kept for a minute.
CREATE TABLE request_undo (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  -- Only who made the change can undo it.
  caller text NOT NULL,
  at timestamptz NOT NULL,
  items jsonb NOT NULL
);
CREATE INDEX request_undo_at ON request_undo (at);
`
