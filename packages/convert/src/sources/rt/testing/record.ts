// Records the golden files again from a Request Tracker of its own, on Debian as root:
//
//   apt-get install --no-install-recommends request-tracker5 rt5-db-sqlite sqlite3 curl
//   node packages/convert/src/sources/rt/testing/record.ts
//
// The installed database must be unused: it is copied, and not changed.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@plantroom/testkit/free-port'
import { count, documentedCommands, run, serve } from '../../../testing/recording.ts'
import { fill } from './fill.ts'

const HERE = import.meta.dirname
const GOLDEN = join(HERE, 'golden')
const PAGE = join(HERE, '../../../../../../docs/how-to/convert/rt.md')

const folder = mkdtempSync(join(tmpdir(), 'plantroom-rt-'))
const database = join(folder, 'rt.db')
const port = await freePort()
const address = `http://127.0.0.1:${port}`
const env = {
  RT_RECORDING: folder,
  RT_RECORDING_PORT: String(port),
  RT_SITE_CONFIG: join(HERE, 'site-config.pm'),
  RT_SITE_CONFIG_DIR: '/dev/null',
}
const options = { cwd: folder, env }

copyFileSync('/var/lib/dbconfig-common/sqlite3/request-tracker5/rtdb', database)
run('rt-setup-database', ['--action', 'insert', '--skip-create', '--datafile', join(HERE, 'initialdata.pl')], options)
const server = '/usr/share/request-tracker5/libexec/rt-server'
const stop = await serve(address, [server, '--port', String(port), '--max-workers', '2'], options)
try {
  await fill(address)
  rmSync(GOLDEN, { recursive: true, force: true })
  mkdirSync(GOLDEN)
  const token = makeToken()
  for (const commands of documentedCommands(PAGE)) {
    run('sh', ['-c', commands], { cwd: GOLDEN, env: { RT: address, TOKEN: token } })
  }
  await exportResults()
} finally {
  await stop()
}
writeFileSync(join(GOLDEN, 'counts.json'), `${JSON.stringify(count(database, queries()), null, 2)}\n`)
for (const name of ['page.json', 'parts.json']) rmSync(join(GOLDEN, name))
for (const name of readdirSync(GOLDEN)) {
  const text = readFileSync(join(GOLDEN, name), 'utf8')
  writeFileSync(join(GOLDEN, name), text.replaceAll(address, 'https://rt.example.com'))
}
rmSync(folder, { recursive: true })

/** RT makes tokens on its pages only. */
function makeToken(): string {
  const program = `use lib '/usr/share/request-tracker5/lib'; use RT -init; my $user = RT::CurrentUser->new; $user->Load('root');
    my ($ok, $message, $token) = RT::AuthToken->new($user)->Create(Owner => $user->id, Description => 'export'); print $token;`
  const made = spawnSync('perl', ['-e', program], { ...options, env: { ...process.env, ...env }, encoding: 'utf8' })
  if (!/^\d+-\d+-\w+$/.test(made.stdout)) throw new Error(`no token: ${made.stdout}${made.stderr}`)
  return made.stdout
}

async function exportResults(): Promise<void> {
  const login = new URLSearchParams({ user: 'root', pass: 'password' })
  const signedIn = await fetch(`${address}/NoAuth/Login.html`, { method: 'POST', body: login, redirect: 'manual' })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const columns = [
    'id',
    'Subject',
    'Status',
    'QueueName',
    'OwnerName',
    'Priority',
    'Requestors',
    'Cc',
    'AdminCc',
    'Created',
  ]
  const others = ['LastUpdated', 'Resolved', 'Started', 'Due', 'Told', 'TimeWorked', 'CreatedBy', 'CreatedRelative']
  const Format = [...columns, ...others, 'CustomField.{Asukoht}', 'CustomField.{Seadmed}'].join(',')
  const query = new URLSearchParams({ Query: 'id>0', OrderBy: 'id', Order: 'ASC', Format })
  const results = await fetch(`${address}/Search/Results.tsv?${query}`, { headers: { cookie } })
  writeFileSync(join(GOLDEN, 'results.tsv'), await results.text())
}

function queries(): Record<string, string> {
  const tickets = "SELECT id FROM Tickets WHERE EffectiveId IN (SELECT id FROM Tickets WHERE Status <> 'deleted')"
  const ofTickets = `ObjectType = 'RT::Ticket' AND ObjectId IN (${tickets})`
  const messages = `SELECT id FROM Transactions WHERE ${ofTickets} AND Type IN ('Create', 'Correspond', 'Comment')`
  return {
    tickets: "SELECT count(*) FROM Tickets WHERE EffectiveId = id AND Status <> 'deleted'",
    replies: `SELECT count(*) FROM Transactions WHERE ${ofTickets} AND Type = 'Correspond'`,
    internal: `SELECT count(*) FROM Transactions WHERE ${ofTickets} AND Type = 'Comment'`,
    merged: `SELECT count(*) FROM Tickets WHERE EffectiveId <> id`,
    outgoing: `SELECT count(*) FROM Transactions WHERE ${ofTickets} AND Type LIKE '%EmailRecord'`,
    changes: `SELECT count(*) FROM Transactions WHERE ${ofTickets} AND Type NOT IN ('Create', 'Correspond', 'Comment', 'EmailRecord', 'CommentEmailRecord')`,
    files: `SELECT count(*) FROM Attachments WHERE TransactionId IN (${messages}) AND (Filename <> '' OR ContentType LIKE 'image/%')`,
    customValues: `SELECT count(*) FROM ObjectCustomFieldValues WHERE ${ofTickets} AND NOT Disabled`,
  }
}
