import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { REFERENCE } from '../../registry.ts'
import { bashReplies, splitLine } from './bash-words.ts'
import { complete, type ListNames } from './complete.ts'
import { SCRIPTS } from './scripts.ts'

const NAMES: ListNames = async (kind) => [{ value: `a ${kind}`, about: 'id_1' }, { value: "O'Neil" }]

const completed = (...words: string[]) => complete(REFERENCE, words, NAMES)
const values = async (...words: string[]) => (await completed(...words)).candidates.map(({ value }) => value)

describe('the completion', () => {
  test.each([
    [['me'], ['member', 'measurements']],
    [['dr', 'va'], ['values']],
    [['dr', 'values', '--js'], ['--json']],
    [['dr', 'values', '--json', '--js'], []],
    [['key', 'create', 'x', '--permission', 'a', '--perm'], ['--permission']],
    [
      ['key', 'create', 'x', '--permission', 'ticket:'],
      ['ticket:read', 'ticket:read_write'],
    ],
    [
      ['request', 'list', '--state=o'],
      ['--state=open', '--state=on_hold'],
    ],
    [
      ['package', 'schedule', 's'],
      ['show', 'set'],
    ],
    [['package', 'sch'], ['schedule']],
    [['package', 'from', 'j'], ['jira']],
    [['completion', 'z'], ['zsh']],
    [['edge', 'p'], ['probe']],
    [
      ['org', 'update', ''],
      ['a organization', "O'Neil"],
    ],
    [['site', 'update', 'a'], ['a site']],
    [['dr', 'override', 'a'], ['a datapoint']],
    [['dr', 'override', 'x', '-20', '--connection', 'a'], ['a connection']],
    [['dr', 'override', 'x', '-20', 'too-many'], []],
    [['dr', 'values', '--', '--js'], []],
    [['frobnicate', ''], []],
    [['constructor', ''], []],
  ])('of %j offers %j', async (words, expected) => {
    expect(await values(...words)).toEqual(expect.arrayContaining(expected))
    if (expected.length < 2) expect(await values(...words)).toEqual(expected)
  })

  test('leaves files to the shell', async () => {
    expect(await completed('package', 'check', 'a.fpl', 'b')).toEqual({ candidates: [], files: true })
    expect(await completed('package', 'from', 'csv', 'in.csv', '-o', '')).toEqual({ candidates: [], files: true })
  })

  test('offers every verb and every option of every command', async () => {
    for (const [name, { verbs }] of Object.entries(REFERENCE)) {
      for (const [verb, { options }] of Object.entries(verbs)) {
        const words = [name, ...verb.split(' ').filter((word) => word !== '')]
        if (verb !== '') expect(await values(...words.slice(0, -1), '')).toContain(words.at(-1))
        const offered = await values(...words, '--')
        expect(offered).toEqual(expect.arrayContaining(Object.keys(options).map((option) => `--${option}`)))
      }
    }
  })
})

describe('a line of Bash', () => {
  test.each([
    ['plantroom dr ', ['plantroom', 'dr', ''], ''],
    ["plantroom dr override 'Charge p", ['plantroom', 'dr', 'override', 'Charge p'], "'"],
    ['plantroom dr override Charge\\ p', ['plantroom', 'dr', 'override', 'Charge p'], ''],
    ['plantroom org add "a\\"b" x', ['plantroom', 'org', 'add', 'a"b', 'x'], ''],
  ])('%j has the words %j', (line, words, quote) => {
    expect(splitLine(line)).toMatchObject({ words, quote })
  })

  test.each([
    ['p key create x --permission edge-device:r', ['edge-device:read_write'], ['read_write']],
    ['p request list --state=o', ['--state=open'], ['open']],
    ['p member role jaan@', ['jaan@example.com'], ['example.com']],
    ['p site update ', ["Room $(id) 'ä'"], ["Room\\ \\$\\(id\\)\\ \\'ä\\'"]],
    ["p site update 'Ro", ['Room $(id)'], ['Room $(id)']],
  ])('%j is completed with %j as %j', (line, candidates, replies) => {
    const found = { candidates: candidates.map((value) => ({ value })), files: false }
    expect(bashReplies(found, splitLine(line))).toEqual(replies)
  })
})

test('a real Bash asks the program with the line up to the cursor, and offers its replies', async () => {
  const folder = temporaryFolder()
  const asked = join(folder, 'asked')
  writeFileSync(
    join(folder, 'plantroom'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >${asked}\necho 'Demo\\ building'\necho other\n`,
  )
  chmodSync(join(folder, 'plantroom'), 0o755)
  const line = 'plantroom site update De'
  const session = `${SCRIPTS.bash}
COMP_LINE='${line} --json' COMP_POINT=${line.length} COMP_WORDS=(${line}) COMP_CWORD=3
_plantroom
printf '%s\\n' "\${COMPREPLY[@]}"
cat ${asked}
complete -p plantroom`
  const env = { PATH: `${folder}:${process.env.PATH}` }
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', session], { env })
  const registered = 'complete -F _plantroom plantroom'
  expect(stdout.trim().split('\n')).toEqual(['Demo\\ building', 'other', '__complete', 'bash', line, registered])
})
