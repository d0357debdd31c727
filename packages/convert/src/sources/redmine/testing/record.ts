// Records the golden files again from a Redmine of its own, on Debian as root:
//
//   apt-get install --no-install-recommends redmine redmine-sqlite ruby-webrick sqlite3 curl
//   node packages/convert/src/sources/redmine/testing/record.ts
//
// The installed instance `default` must be unused: its empty database is copied, and not changed.

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@plantroom/testkit/free-port'
import { count, documentedCommands, run, serve } from '../../../testing/recording.ts'
import { fill, KEY } from './fill.ts'

const HERE = import.meta.dirname
const GOLDEN = join(HERE, 'golden')
const PROGRAM = '/usr/share/redmine'
const PAGE = join(HERE, '../../../../../../docs/how-to/convert/redmine.md')

const folder = mkdtempSync(join(tmpdir(), 'plantroom-redmine-'))
const database = join(folder, 'redmine.db')
const port = await freePort()
const address = `http://127.0.0.1:${port}`
const env = prepare()

run('bundle', ['exec', 'rails', 'runner', join(HERE, 'setup.rb')], { cwd: PROGRAM, env })
const server = ['bundle', 'exec', 'rails', 'server', '-u', 'webrick', '-b', '127.0.0.1', '-p', String(port)] as const
const stop = await serve(address, [...server, '-P', join(folder, 'pid')], { cwd: PROGRAM, env })
try {
  await fill(address)
  rmSync(GOLDEN, { recursive: true, force: true })
  mkdirSync(GOLDEN)
  for (const commands of documentedCommands(PAGE)) {
    run('sh', ['-c', commands], { cwd: GOLDEN, env: { REDMINE: address, KEY } })
  }
} finally {
  await stop()
}
const stored = 'SELECT id, disk_directory, disk_filename FROM attachments'
run('sh', ['-c', `sqlite3 -csv -header '${database}' '${stored}' > attachments.csv`], { cwd: GOLDEN })
cpSync(join(folder, 'instance/files'), join(GOLDEN, 'stored'), { recursive: true })
writeFileSync(join(GOLDEN, 'counts.json'), `${JSON.stringify(count(database, queries()), null, 2)}\n`)
rmSync(join(GOLDEN, 'page.json'))
for (const name of readdirSync(GOLDEN).filter((name) => name.endsWith('.json'))) {
  const text = readFileSync(join(GOLDEN, name), 'utf8')
  writeFileSync(join(GOLDEN, name), text.replaceAll(address, 'https://redmine.example.com'))
}
rmSync(folder, { recursive: true })

/** Makes an instance of its own, and returns the environment that selects it. */
function prepare(): Record<string, string> {
  for (const name of ['config', 'files', 'log', 'tmp/cache', 'public/plugin_assets']) {
    mkdirSync(join(folder, 'instance', name), { recursive: true })
  }
  copyFileSync('/var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default', database)
  const configuration = `production:\n  adapter: sqlite3\n  database: ${database}\n  encoding: utf8\n`
  writeFileSync(join(folder, 'instance/config/database.yml'), configuration)
  writeFileSync(join(folder, 'instance/config/secret_key.txt'), 'a'.repeat(64))
  // Debian's Redmine names no server of its own.
  writeFileSync(join(folder, 'Gemfile'), `${readFileSync(join(PROGRAM, 'Gemfile'), 'utf8')}\ngem 'webrick'\n`)
  copyFileSync(join(PROGRAM, 'Gemfile.lock'), join(folder, 'Gemfile.lock'))
  // Relative to the folder of the installed instances; Redmine has no setting for another one.
  const instance = `../../../..${join(folder, 'instance')}`
  return { BUNDLE_GEMFILE: join(folder, 'Gemfile'), RAILS_ENV: 'production', REDMINE_INSTANCE: instance }
}

function queries(): Record<string, string> {
  return {
    issues: 'SELECT count(*) FROM issues',
    comments: "SELECT count(*) FROM journals WHERE journalized_type = 'Issue' AND notes <> ''",
    privateComments: "SELECT count(*) FROM journals WHERE notes <> '' AND private_notes",
    attachments: "SELECT count(*) FROM attachments WHERE container_type = 'Issue'",
    changes: 'SELECT count(*) FROM journal_details',
    filesInComments:
      "SELECT count(*) FROM journal_details JOIN journals ON journals.id = journal_id WHERE property = 'attachment' AND notes <> ''",
    watchers: "SELECT count(*) FROM watchers WHERE watchable_type = 'Issue'",
    timeEntries: 'SELECT count(*) FROM time_entries WHERE issue_id IS NOT NULL',
    relations: 'SELECT count(*) FROM issue_relations',
    customValues: "SELECT count(*) FROM custom_values WHERE customized_type = 'Issue' AND value <> ''",
  }
}
