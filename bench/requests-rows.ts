import type pg from 'pg'

export const REQUEST_ROWS = { requests: 50_000, comments: 150_000 }

const WORDS = [
  ...['leak', 'heating', 'radiator', 'küte', 'corridor', 'broken', 'water', 'elevator', 'light', 'door', 'window'],
  ...['kitchen', 'noise', 'õhk', 'tenant', 'please', 'call', 'before', 'arrival', 'the', 'is', 'in', 'pump', 'valve'],
  ...['pressure', 'temperature', 'floor', 'Heizungsausfall', 'remont', 'roof', 'lock', 'key', 'drain', 'smell'],
]
const TEXTS = 997

/** Fills a site with requests and comments of made-up words. The same site gives the same rows. */
export async function seedRequests(db: pg.Client, siteId: string, prefix: string): Promise<void> {
  const texts = Array.from({ length: TEXTS }, (_, text) =>
    Array.from({ length: 60 }, (_, word) => WORDS[(text * 31 + word * word * 7 + text * word) % WORDS.length]).join(
      ' ',
    ),
  )
  const id = (kind: string) => `'${kind}_${prefix}' || n`
  await db.query(
    `INSERT INTO person (id, site_id, email, name)
     SELECT ${id('person')}, $1, 'person' || n || '@example.ee', 'Person ' || n FROM generate_series(1, 200) n`,
    [siteId],
  )
  for (const table of ['unit', 'tag']) {
    await db.query(
      `INSERT INTO ${table} (id, site_id, name)
       SELECT ${id(table)}, $1, '${table === 'unit' ? 'Unit' : 'tag'} ' || n FROM generate_series(1, 50) n`,
      [siteId],
    )
  }
  await db.query(
    `INSERT INTO ticket (id, site_id, number, external_id, title, state, description, priority, reporter_email,
       reporter_name, assignee_id, unit_id, created_at, updated_at, state_changed_at)
     SELECT ${id('ticket')}, $1, n, 'SRC-' || n, left(($2::text[])[1 + n * 7 % ${TEXTS}], 40) || ' ' || n,
       (ARRAY['new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'])[1 + n % 7],
       ($2::text[])[1 + n * 13 % ${TEXTS}], nullif(n % 5, 4), 'reporter' || n % 5000 || '@example.ee',
       'Reporter ' || n % 5000, CASE WHEN n % 3 > 0 THEN 'person_${prefix}' || 1 + n % 200 END,
       'unit_${prefix}' || 1 + n % 50, at, at + n % 90 * interval '1 day', at
     FROM (SELECT n, timestamptz '2023-01-01' + (n * 7919 % 50000) * interval '20 minutes' AS at
       FROM generate_series(1, ${REQUEST_ROWS.requests}) n) made`,
    [siteId, texts],
  )
  await db.query(
    `INSERT INTO ticket_comment (ticket_id, position, content, created_at)
     SELECT 'ticket_${prefix}' || 1 + n % ${REQUEST_ROWS.requests}, n / ${REQUEST_ROWS.requests},
       left(($1::text[])[1 + n * 3 % ${TEXTS}], 160) || CASE WHEN n = 77777 THEN ' quokka' ELSE '' END, now()
     FROM generate_series(0, ${REQUEST_ROWS.comments - 1}) n`,
    [texts],
  )
  await db.query(
    `INSERT INTO ticket_tag (ticket_id, position, tag_id)
     SELECT ${id('ticket')}, place, 'tag_${prefix}' || 1 + (n + place * 17) % 50
     FROM generate_series(1, ${REQUEST_ROWS.requests}) n, generate_series(0, 1) place`,
  )
}
