/** The key of the administrator that `setup.rb` sets. */
export const KEY = 'a'.repeat(40)

/** Fills an empty Redmine through its REST interface, as different people. */
export async function fill(address: string): Promise<void> {
  const as = (user: string) => (method: string, path: string, body: object | Buffer) =>
    send(address, user, method, path, body)
  const admin = as('admin')
  const jaan = as('jaan')
  const kati = as('kati')

  for (const [login, firstname, lastname, mail] of PEOPLE) {
    await admin('POST', 'users', { user: { login, firstname, lastname, mail, password: 'a long password' } })
  }
  await admin('POST', 'projects', { project: { name: 'Maja A – hooldus', identifier: 'maja-a' } })
  for (const user_id of [5, 6, 7])
    await admin('POST', 'projects/maja-a/memberships', { membership: { user_id, role_ids: [3] } })
  await admin('POST', 'projects/maja-a/issue_categories', { issue_category: { name: 'Küte' } })
  await admin('POST', 'projects/maja-a/versions', { version: { name: 'Talv 2026' } })

  const photo = await upload(kati, 'mõõt.png', Buffer.from(PIXEL, 'base64'), 'image/png')
  const notes = await upload(jaan, 'notes.txt', Buffer.from('Ventiil DN15\r\n'), 'text/plain')
  const samePhoto = await upload(jaan, 'mõõt.png', Buffer.from(PIXEL, 'base64'), 'image/png')

  const cold = {
    subject: 'Küte ei tööta, "korter 12"',
    description: 'Toas on 14 °C.\r\n\r\n* radiaator 1\r\n* radiaator 2',
    priority_id: 3,
  }
  await kati('POST', 'issues', {
    issue: {
      ...{
        project_id: 'maja-a',
        tracker_id: 1,
        category_id: 1,
        fixed_version_id: 1,
        ...cold,
        watcher_user_ids: [6, 7],
      },
      ...{ due_date: '2026-12-01', estimated_hours: 2.5, uploads: [photo] },
      custom_fields: [
        { id: 1, value: '12' },
        { id: 2, value: ['Küte', 'Vesi'] },
        { id: 3, value: '1' },
      ],
    },
  })
  await jaan('PUT', 'issues/1', {
    issue: { notes: 'Tulen homme kell 9.', status_id: 2, assigned_to_id: 5, uploads: [notes] },
  })
  await jaan('PUT', 'issues/1', { issue: { notes: 'Võtmed majahoidja käes.', private_notes: true } })
  await jaan('PUT', 'issues/1', {
    issue: { uploads: [samePhoto], priority_id: 5, description: `${cold.description}\r\n\r\nLisatud.` },
  })
  await admin('POST', 'time_entries', {
    time_entry: { issue_id: 1, hours: 1.25, activity_id: 8, comments: 'Ventiil vahetatud' },
  })
  await jaan('PUT', 'issues/1', {
    issue: { notes: 'Tehtud 👍', status_id: 5, done_ratio: 100, custom_fields: [{ id: 1, value: '12a' }] },
  })

  await kati('POST', 'issues', {
    issue: { project_id: 'maja-a', tracker_id: 3, subject: '=HYPERLINK("x")', description: '' },
  })
  await kati('PUT', 'issues/2', { issue: { status_id: 7 } })
  await jaan('POST', 'issues', {
    issue: { project_id: 'maja-a', tracker_id: 2, subject: 'Alamtöö; tihend', parent_issue_id: 2, is_private: true },
  })
  await admin('POST', 'issues/1/relations', { relation: { issue_to_id: 2, relation_type: 'precedes', delay: 2 } })
  await admin('POST', 'issues', { issue: { project_id: 'maja-a', tracker_id: 1, subject: 'Removed again' } })
  await kati('POST', 'issues', { issue: { project_id: 'maja-a', tracker_id: 3, subject: 'Rejected', priority_id: 1 } })
  await admin('DELETE', 'issues/4', {})
  await admin('PUT', 'issues/5', { issue: { status_id: 6, assigned_to_id: 6 } })
  await admin('PUT', 'users/6', { user: { status: 3 } })
}

type Send = (method: string, path: string, body: object | Buffer) => Promise<string>

async function upload(by: Send, filename: string, content: Buffer, content_type: string): Promise<object> {
  const reply = await by('POST', `uploads.json?filename=${encodeURIComponent(filename)}`, content)
  const { upload } = JSON.parse(reply) as { upload: { token: string } }
  return { token: upload.token, filename, content_type }
}

async function send(
  address: string,
  user: string,
  method: string,
  path: string,
  body: object | Buffer,
): Promise<string> {
  const isFile = body instanceof Buffer
  const response = await fetch(`${address}/${isFile ? path : `${path}.json`}`, {
    method,
    body: isFile ? new Uint8Array(body) : JSON.stringify(body),
    headers: {
      'content-type': isFile ? 'application/octet-stream' : 'application/json',
      'x-redmine-api-key': KEY,
      'x-redmine-switch-user': user,
    },
  })
  const reply = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply}`)
  return reply
}

const PEOPLE = [
  ['jaan', 'Jaan', 'Tamm', 'jaan.tamm@example.com'],
  ['mari', 'Mari', 'Mägi', 'mari@example.com'],
  ['kati', 'Kati', 'Kõiv', 'kati@example.org'],
] as const

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
