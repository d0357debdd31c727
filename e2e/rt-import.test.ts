import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
const QUEUE = 'Hooldus – Maja A'
const DATABASE = '/trial/rt.db'

/** Letters in Latin-1, which RT would convert in a file that it takes for a text. */
const LIST = Buffer.from('m\xf5\xf5t\r\n', 'latin1')
const TICKETS = [
  {
    ...{ externalId: 'WO 1', title: 'Küte "korter 12" $(touch /pwned) `id`', state: 'closed', priority: 3 },
    ...{ description: '@/etc/passwd\n-rf\n=Toas on 14 °C.', notes: 'Võti valves', assignee: 'Jaan.Tamm@example.com' },
    ...{
      reporter: { name: 'Kõiv, Kati', email: 'kati@example.org' },
      ccEmails: ['naaber@example.org', 'rt@example.com'],
    },
    ...{ watchers: ['mari@example.com'], createdAt: '2026-01-02T10:00:00+02:00', resolvedAt: '2026-02-02T10:00:00Z' },
    attachments: [
      { path: 'attachments/list.txt', contentType: 'text/plain', name: 'kaust/Ж "mõõt"; $(id).txt' },
      { path: 'attachments/empty', name: '0' },
    ],
    comments: [
      { content: 'Tulen homme; kell 9', author: { name: 'Jaan' }, createdAt: '2026-01-03T10:00:00Z' },
      { content: '[Internal] Salajane' },
      { content: '0', attachments: [{ path: 'attachments/list.txt', name: 'õ 👍.txt' }] },
    ],
  },
  { externalId: '"2" \\ back', title: 'T'.repeat(255), state: 'canceled', description: 'Pikk tekst. '.repeat(20_000) },
]

describe.skipIf(missingForDebian() !== undefined)('an export for Request Tracker', () => {
  test('is sent by its own script, once and without mail, and read back', { timeout: TIMEOUT_MS }, () =>
    repeat(1, async () => {
      await using root = await debianRoot(OWN)
      const [port = 0] = await freePorts(1)
      const address = `http://127.0.0.1:${port}`
      const token = await startRt(root, address, port)
      await exportTo(root)
      const send = (queue: string, more = '') =>
        root.run(`cd /trial/export && RT=${address} TOKEN=${token} QUEUE='${queue}' ${more} sh send.sh 2>&1`)
      expect(await send(QUEUE)).toBe(
        `request "WO 1" is ticket 1\nticket 1: RT does not take "rt@example.com" as Cc\nrequest "\\"2\\" \\\\ back" is ticket 2\n`,
      )
      const counted = await transactions(root)
      expect(counted).not.toContain('EmailRecord')
      expect(await send(QUEUE), 'a second run sends nothing again').toBe('')
      await root.run('rm /trial/export/sent.txt')
      expect(await send(QUEUE)).toContain('request "WO 1" is in RT already: ticket 1\n')
      await root.run(`rm /trial/export/sent.txt
        sqlite3 ${DATABASE} "UPDATE Links SET Target = Target || '/sending' WHERE Target LIKE 'plantroom:%'"`)
      expect(await send(QUEUE), 'continues after an interruption').toContain('request "WO 1" is ticket 1\n')
      expect(withoutLinks(await transactions(root))).toEqual(withoutLinks(counted))
      await expectReadBack(root, address, token)
      await root.run('rm /trial/export/sent.txt')
      await send('General', 'MAIL=off')
      const owner = 'SELECT Name FROM Users JOIN Tickets ON Tickets.Owner = Users.id WHERE Tickets.id = 3'
      expect(await rows(root, owner)).toBe('jaan\n')
    }),
  )
})

/** RT as Debian installs it, with the rules by which it mails people, and a queue. Returns a token. */
async function startRt(root: Machine, address: string, port: number): Promise<string> {
  mkdirSync(join(root.path, 'trial'))
  copyFileSync('/etc/resolv.conf', join(root.path, 'etc/resolv.conf'))
  await root.run(
    'apt-get update && apt-get install -y --no-install-recommends request-tracker5 rt5-db-sqlite sqlite3 curl jq',
  )
  for (const name of ['site-config.pm', 'initialdata.pl']) {
    cpSync(join(ROOT, 'packages/convert/src/sources/rt/testing', name), join(root.path, 'trial', name))
  }
  const program = `use lib '/usr/share/request-tracker5/lib'; use RT -init; my $user = RT::CurrentUser->new; $user->Load('root');
    my ($ok, $message, $token) = RT::AuthToken->new($user)->Create(Owner => $user->id, Description => 'import'); print $token;`
  writeFileSync(join(root.path, 'trial/token.pl'), program)
  const token = await root.run(`cp /var/lib/dbconfig-common/sqlite3/request-tracker5/rtdb ${DATABASE}
    cd /trial
    export RT_RECORDING=/trial RT_RECORDING_PORT=${port} RT_SITE_CONFIG=/trial/site-config.pm RT_SITE_CONFIG_DIR=/dev/null
    rt-setup-database --action insert --skip-create --datafile /trial/initialdata.pl >&2
    perl /trial/token.pl
    nohup /usr/share/request-tracker5/libexec/rt-server --port ${port} --max-workers 2 >/trial/log 2>&1 &`)
  await eventually(async () => expect((await fetch(address)).ok).toBe(true), START_MS)
  return token
}

async function exportTo(root: Machine): Promise<void> {
  const input = join(root.path, 'trial/site.fpl')
  const content = async function* (bytes: Buffer) {
    yield bytes
  }
  const attachments = [
    { path: 'attachments/list.txt', content: content(LIST) },
    { path: 'attachments/empty', content: content(Buffer.alloc(0)) },
  ]
  await writePackage(input, { tickets: TICKETS, attachments })
  const done = await plantroom(['package', 'to', 'rt', input, '-o', join(root.path, 'trial/export')])
  expect(done).toMatchObject({ code: 0, stderr: '' })
}

const rows = (root: Machine, query: string) => root.run(`sqlite3 ${DATABASE} "${query}"`)
const transactions = (root: Machine) =>
  rows(root, "SELECT Type, count(*) FROM Transactions WHERE ObjectType = 'RT::Ticket' GROUP BY Type")
const withoutLinks = (counted: string) => counted.split('\n').filter((line) => !line.includes('Link'))

/** The commands of the documentation export what RT has now, and our own converter reads it. */
async function expectReadBack(root: Machine, address: string, token: string): Promise<void> {
  const page = readFileSync(join(ROOT, 'docs/how-to/convert/rt.md'), 'utf8')
  const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text).slice(1)
  writeFileSync(join(root.path, 'trial/export.sh'), commands.join('\n'))
  await root.run(`cd /trial && RT=${address} TOKEN=${token} sh export.sh`)
  const [tickets, users, output] = ['tickets.json', 'users.json', 'back'].map((name) => join(root.path, 'trial', name))
  const done = await plantroom(['package', 'from', 'rt', tickets ?? '', users ?? '', '-o', `${output}.fpl`, '--json'])
  expect(JSON.parse(done.stdout)).toMatchObject({ tickets: 2, comments: 5, attachments: 3 })
  await plantroom(['package', 'to', 'csv', `${output}.fpl`, '-o', output ?? ''])
  const [requests, comments] = ['requests', 'comments'].map((name) => readFileSync(`${output}/${name}.csv`, 'utf8'))
  for (const text of [
    'Küte ""korter 12"" $(touch /pwned) `id`',
    'kati@example.org',
    '"Kõiv, Kati"',
    'naaber@example.org',
  ]) {
    expect(requests).toContain(text)
  }
  expect(requests).toContain("'@/etc/passwd\n-rf\n=Toas on 14 °C.")
  expect(requests).toContain(`${'T'.repeat(197)}…,canceled`)
  expect(requests).toMatch(/2026-01-02T08:00:00.000Z,[^,]*,2026-02-02T10:00:00.000Z/)
  expect(comments).toContain('[Internal] External id: WO 1\nState: closed\nNotes: Võti valves')
  expect(comments).toContain('[Internal] Salajane')
  expect(comments).toContain('Jaan, 2026-01-03T10:00:00.000Z\n\nTulen homme; kell 9')
  expect(comments).toMatch(/,0,attachments\/f\d+\/õ 👍\.txt/)
  const [, path = ''] = /(attachments\/f\d+\/õ 👍\.txt)/.exec(comments ?? '') ?? []
  expect(readFileSync(join(output ?? '', path))).toEqual(LIST)
}
