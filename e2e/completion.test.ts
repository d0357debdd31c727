import { execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { beforeAll, describe, expect, test } from 'vitest'
import { environment, PLANTROOM } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { plantroom } from './support/run.ts'

const NEEDED = { zsh: 'zsh', fish: 'fish', mandoc: 'mandoc', groff: 'groff-base' }
/** Names that no shell may run or split. */
const NAMES = ['north', 'north.east-1', 'south_2']

const has = (program: string) => existsSync(join('/usr/bin', program))
const MINUTES = 60_000

// Shells that most machines lack are for a campaign; the suite has a Bash beside the code.
describe.skipIf(!isCampaign)('a person at a terminal', { timeout: 5 * MINUTES }, () => {
  beforeAll(() => {
    const missing = Object.entries(NEEDED).filter(([program]) => !has(program))
    if (missing.length === 0) return
    const packages = missing.map(([, name]) => name)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages])
    expect(missing.map(([program]) => program).filter((program) => !has(program))).toEqual([])
  }, 5 * MINUTES)

  test.each([
    ['bash', 'bash --norc -i', 'eval "$(command plantroom completion bash)"'],
    ['zsh', 'zsh -f -i', 'autoload -Uz compinit; compinit -u -D; eval "$(command plantroom completion zsh)"'],
    ['fish', 'fish --no-config -i', 'command plantroom completion fish | source'],
  ])('completes commands, values and names with Tab in %s', async (shell, start, load) => {
    await repeat(1, async () => {
      const settings = place()
      for (const [typed, expected] of [
        ['plantroom dr val\t', 'dr values'],
        ['plantroom key create x --permission edge-device:read_\t', 'key create x --permission edge-device:read_write'],
        ['plantroom profile use sou\t', 'profile use south_2'],
        ['plantroom package schedule sh\t', 'package schedule show'],
        ['plantroom request list --state=res\t', 'request list --state=resolved'],
      ] as const) {
        expect(await typedInto(shell, start, load, typed, settings)).toContain(`ran: ${expected} .`)
      }
    })
  })

  test('fish shows what each candidate means', async () => {
    const script = `plantroom completion fish | source; complete -C 'plantroom dr '`
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], { env: place() })
    expect(stdout).toContain('values\tread the live values of a connection\n')
  })

  test('reads a man page without mistakes', async () => {
    const { stdout: page } = await plantroom(['man'])
    const file = join(temporaryFolder(), 'plantroom.1')
    writeFileSync(file, page)
    const lint = spawnSync('mandoc', ['-Tlint', '-Wwarning', file], { encoding: 'utf8' })
    // A date would make two builds of one version differ.
    expect(lint.stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
    const warnings = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8', file], { encoding: 'utf8' }).stderr
    expect(warnings).toBe('')
    const shown = spawnSync('groff', ['-man', '-Tascii', '-P-cbou', file], { encoding: 'utf8' }).stdout
    expect(shown).toMatch(/plantroom key create NAME --permission P/)
  })
})

/** An environment with `plantroom` on the path and some profiles. */
function place(): NodeJS.ProcessEnv {
  const folder = temporaryFolder()
  const profiles = join(folder, 'config/plantroom/profiles')
  mkdirSync(profiles, { recursive: true })
  for (const name of NAMES)
    writeFileSync(join(profiles, `${name}.json`), '{"url":"http://127.0.0.1:9"}', { mode: 0o600 })
  const path = join(folder, 'plantroom')
  // Completes with the real program, and prints what would run.
  writeFileSync(
    path,
    `#!/bin/sh\ncase "$1" in __complete | completion) exec ${PLANTROOM} "$@" ;; esac\nprintf 'ran:'\nprintf ' %s' "$@"\necho ' .'\n`,
  )
  chmodSync(path, 0o755)
  const settings = { XDG_CONFIG_HOME: join(folder, 'config'), HOME: folder, TERM: 'xterm' }
  return { ...environment(settings), PATH: `${folder}:${process.env.PATH}` }
}

/** Types into an interactive shell and returns what it shows. */
async function typedInto(shell: string, start: string, load: string, keys: string, env: NodeJS.ProcessEnv) {
  const child = spawn('script', ['-qec', `stty cols 200; ${start}`, '/dev/null'], { env })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
  })
  const until = (text: string) => eventually(() => expect(screen).toContain(text))
  try {
    // Typed apart, so that its echo does not look like its output.
    child.stdin.write(`${load}\n`)
    child.stdin.write("printf 'lo''aded\\n'\n")
    await until('loaded')
    child.stdin.write(keys)
    const end = keys.trim().split(' ').at(-1) ?? ''
    await eventually(() => expect(screen.split(end).length).toBeGreaterThan(1))
    // The shell completes before it reads the next key.
    child.stdin.write('\r')
    await until('ran: ')
    await until(' .')
    return stripVTControlCharacters(screen)
  } finally {
    child.stdin.end(shell === 'fish' ? 'exit\n' : '\nexit\n')
    child.kill('SIGKILL')
  }
}
