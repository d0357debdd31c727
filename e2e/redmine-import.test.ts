import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePackage } from '@plantroom/fpl/write-package'
import { freePorts } from '@plantroom/testkit/free-port'
import { repeat } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import { debianRoot, type Machine, missingForDebian, OWN } from './support/debian.ts'
import { ROOT } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { plantroom } from './support/run.ts'

const TIMEOUT_MS = 1_800_000
/** Interpreted programs start slowly on a busy machine. */
const START_MS = 300_000
const KEY = 'a'.repeat(40)
const INSTANCE = [
  'export BUNDLE_GEMFILE=/trial/Gemfile RAILS_ENV=production REDMINE_INSTANCE=../../../../trial/instance LANG=C.UTF-8',
  'cd /usr/share/redmine',
].join('\n')

const PHOTO = Buffer.from('not really a photo')
const TICKETS = [
  {
    ...{ externalId: 'WO 1', title: 'Küte ei tööta, "korter 12"', state: 'closed', priority: 3, tags: ['heating'] },
    ...{ description: '=Toas on 14 °C.\n\n* radiaator', notes: 'Võti valves', assignee: 'Jaan.Tamm@example.com' },
    ...{ reporter: { name: 'Kati Kõiv', phone: '+372 555' }, createdAt: '2026-01-02T10:00:00+02:00' },
    attachments: [{ path: 'attachments/mõõt.png', contentType: 'image/png' }],
    comments: [
      { content: 'Tulen homme; kell 9', author: { email: 'jaan.tamm@example.com' }, createdAt: '2026-01-03T10:00:00Z' },
      { content: 'Tehtud 👍', attachments: [{ path: 'attachments/mõõt.png', name: 'kaust/uus nimi.png' }] },
    ],
  },
  { externalId: '"2" \\ back', title: 'Two\nlines', state: 'canceled', description: 'Pikk tekst. '.repeat(20_000) },
]

describe.skipIf(missingForDebian() !== undefined)('an export for Redmine', () => {
  test('is sent by its own script, and its list is taken by the import page', { timeout: TIMEOUT_MS }, () =>
    repeat(1, async () => {
      await using root = await debianRoot(OWN)
      const [port = 0] = await freePorts(1)
      const address = `http://127.0.0.1:${port}`
      await startRedmine(root, address, port)
      await exportTo(root)
      const send = `cd /trial/export && REDMINE=${address} KEY=${KEY} PROJECT=maja-a sh send.sh 2>&1`
      expect((await root.run(send)).split('\n').slice(0, 2)).toEqual([
        'request "WO 1" is issue 1',
        'request "\\"2\\" \\\\ back" is issue 2',
      ])
      expect(await root.run(send), 'a second run sends nothing again').toBe('')
      await root.run(`cd /trial/export && sed -i 1d sent.txt && printf '"WO 1"\\n1\\n' > sending.txt`)
      expect(await root.run(send), 'a run after an interruption sends nothing again').toBe('')
      await expectIssues(address)
      expect(await root.run(`${INSTANCE}\nbundle exec rails runner /trial/import.rb`)).toContain('2 imported, 0 failed')
      await expectReadBack(root, address)
    }),
  )
})

async function startRedmine(root: Machine, address: string, port: number): Promise<void> {
  const trial = join(root.path, 'trial')
  for (const name of ['config', 'files', 'log', 'tmp/cache', 'public/plugin_assets']) {
    mkdirSync(join(trial, 'instance', name), { recursive: true })
  }
  copyFileSync('/etc/resolv.conf', join(root.path, 'etc/resolv.conf'))
  await root.run(
    'apt-get update && apt-get install -y --no-install-recommends redmine redmine-sqlite ruby-webrick sqlite3 curl jq',
  )
  const database = { adapter: 'sqlite3', database: '/trial/redmine.db', encoding: 'utf8' }
  writeFileSync(join(trial, 'instance/config/database.yml'), JSON.stringify({ production: database }))
  writeFileSync(join(trial, 'instance/config/secret_key.txt'), 'a'.repeat(64))
  cpSync(join(ROOT, 'packages/convert/src/sources/redmine/testing/setup.rb'), join(trial, 'setup.rb'))
  writeFileSync(join(trial, 'import.rb'), IMPORT)
  await root.run(`cp /var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default /trial/redmine.db
    cp /usr/share/redmine/Gemfile.lock /trial; (cat /usr/share/redmine/Gemfile; echo "gem 'webrick'") > /trial/Gemfile
    ${INSTANCE}
    bundle exec rails runner /trial/setup.rb
    nohup bundle exec rails server -u webrick -b 127.0.0.1 -p ${port} -P /trial/pid >/trial/log 2>&1 &`)
  await eventually(async () => expect((await fetch(address)).ok).toBe(true), START_MS)
  const person = { login: 'jaan', firstname: 'Jaan', lastname: 'Tamm', mail: 'jaan.tamm@example.com' }
  const { user } = await post(address, 'users', { user: { ...person, password: 'a long password' } })
  await post(address, 'projects', { project: { name: 'Maja A', identifier: 'maja-a' } })
  await post(address, 'projects/maja-a/memberships', { membership: { user_id: user?.id, role_ids: [3] } })
}

/** What the import page does with the columns that it recognizes. */
const IMPORT = `
import = IssueImport.new
import.user = User.find_by(login: 'admin')
import.file = File.open('/trial/export/issues.csv')
import.set_default_settings(project_id: 'maja-a')
import.settings = import.settings.merge('encoding' => 'UTF-8', 'separator' => ',', 'wrapper' => '"')
import.settings['mapping'] = {
  'project_id' => Project.first.id.to_s, 'tracker' => 'value:1', 'subject' => '1', 'description' => '2',
  'status' => '3', 'priority' => '4', 'assigned_to' => '5', 'unique_id' => '0'
}
import.save!
import.parse_file
import.run
puts "#{import.saved_items.count} imported, #{import.unsaved_items.count} failed"
`

async function exportTo(root: Machine): Promise<void> {
  const input = join(root.path, 'trial/site.fpl')
  const content = (async function* () {
    yield PHOTO
  })()
  await writePackage(input, { tickets: TICKETS, attachments: [{ path: 'attachments/mõõt.png', content }] })
  const done = await plantroom(['package', 'to', 'redmine', input, '-o', join(root.path, 'trial/export')])
  expect(done).toMatchObject({ code: 0, stderr: '' })
}

async function expectIssues(address: string): Promise<void> {
  const { issue } = await get(address, 'issues/1.json?include=journals,attachments')
  expect(issue).toMatchObject({
    subject: 'Küte ei tööta, "korter 12"',
    description: '=Toas on 14 °C.\r\n\r\n* radiaator',
    status: { name: 'Closed' },
    priority: { name: 'Urgent' },
    assigned_to: { name: 'Jaan Tamm' },
    attachments: [{ filename: 'mõõt.png', filesize: PHOTO.length }, { filename: 'kaust_uus nimi.png' }],
  })
  // The last one is the change of the status.
  expect(issue.journals).toHaveLength(4)
  const [note, first, second] = issue.journals
  expect(note).toMatchObject({ private_notes: true, notes: expect.stringContaining('Notes: Võti valves') })
  expect(first.notes).toBe('jaan.tamm@example.com, 2026-01-03T10:00:00.000Z\n\nTulen homme; kell 9')
  expect(second).toMatchObject({ notes: 'Tehtud 👍', details: [{ property: 'attachment' }] })
  const other = await get(address, 'issues/2.json')
  expect(other.issue).toMatchObject({ subject: 'Two lines', status: { name: 'Rejected' } })
  expect(other.issue.description.length).toBe('Pikk tekst. '.length * 20_000)
}

/** Our own converter reads the issues that Redmine now has: those of the script, and those of the list. */
async function expectReadBack(root: Machine, address: string): Promise<void> {
  const issues = await Promise.all(
    [1, 2, 3, 4].map((id) => get(address, `issues/${id}.json?include=journals,attachments`)),
  )
  const input = join(root.path, 'trial/issues.json')
  writeFileSync(input, issues.map((issue) => JSON.stringify(issue)).join('\n'))
  const output = join(root.path, 'trial/back.fpl')
  const done = await plantroom(['package', 'from', 'redmine', input, '-o', output, '--allow-missing', '--json'])
  expect(JSON.parse(done.stdout)).toMatchObject({ tickets: 4, comments: 4 })
}

// biome-ignore lint/suspicious/noExplicitAny: replies of a program of others, which the expectations check
async function get(address: string, path: string): Promise<any> {
  const response = await fetch(`${address}/${path}`, { headers: { 'x-redmine-api-key': KEY } })
  return response.json()
}

async function post(address: string, path: string, body: object): Promise<{ user?: { id: number } }> {
  const headers = { 'x-redmine-api-key': KEY, 'content-type': 'application/json' }
  const response = await fetch(`${address}/${path}.json`, { method: 'POST', body: JSON.stringify(body), headers })
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { user?: { id: number } }
}
