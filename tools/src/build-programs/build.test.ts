import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { buildPrograms } from './build.ts'

const MAIN = 'packages/cloud/src/main.ts'
const JOB = 'packages/cloud/src/run-job.ts'

/** A checkout with a program that says what it finds. */
function checkout() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'plantroom-build-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const programFile = JSON.stringify(join(ROOT, 'packages/base/src/program-file.ts'))
  write('packages/cloud/data.txt', 'beside the source')
  write('packages/cloud/src/shared.ts', `export const text: string = 'shared'`)
  write(JOB, `import { text } from './shared.ts'; console.log(text)`)
  write(
    MAIN,
    `import { readFileSync } from 'node:fs'
    import { join } from 'node:path'
    import { programFile } from ${programFile}
    import { text } from './shared.ts'
    const byFolder = readFileSync(join(import.meta.dirname, '../data.txt'), 'utf8')
    const byAddress = readFileSync(new URL('../data.txt', import.meta.url), 'utf8')
    const job = programFile(join(import.meta.dirname, 'run-job.ts'))
    console.log(JSON.stringify({ text, byFolder, byAddress, job }))`,
  )
  const out = join(root, 'dist')
  const run = (name: string) => execFileSync(process.execPath, [join(out, `${name}.js`)], { encoding: 'utf8' }).trim()
  return { root, out, write, run }
}

test('a built program finds the files beside its source, and the other built programs', async () => {
  const { root, out, run } = checkout()
  await buildPrograms(root, [MAIN, JOB], out)
  const found = 'beside the source'
  const job = join(out, 'cloud-run-job.js')
  expect(JSON.parse(run('cloud-main'))).toEqual({ text: 'shared', byFolder: found, byAddress: found, job })
  expect(run('cloud-run-job')).toBe('shared')
  // Root prepares a checkout, and a service with fewer rights runs it.
  expect(statSync(out).mode & 0o777).toBe(0o755)
})

test('a build replaces the one before it', async () => {
  const { root, out, write, run } = checkout()
  await buildPrograms(root, [MAIN, JOB], out)
  write('packages/cloud/src/shared.ts', `export const text: string = 'changed'`)
  await buildPrograms(root, [JOB], out)
  expect(run('cloud-run-job')).toBe('changed')
  expect(readdirSync(out)).not.toContain('cloud-main.js')
})

test.each([
  'decodeURIComponent(process.argv[1])',
  'void decodeURI(process.title.slice(1));',
  'String.fromCodePoint(-1)',
])('a build refuses %s, which it would drop although it may throw', async (call) => {
  const { root, out, write } = checkout()
  write('packages/cloud/src/shared.ts', `export const text = 'shared'\ntry {\n  ${call}\n} catch {}`)
  await expect(buildPrograms(root, [JOB], out)).rejects.toThrow('use its result')
})

test('a build keeps a call that throws where its result is used', async () => {
  const { root, out, write, run } = checkout()
  const decodes = `function decodes(text) { try { return decodeURIComponent(text) !== '' } catch { return false } }`
  write('packages/cloud/src/shared.ts', `${decodes}\nexport const text = String(decodes('%' + process.release.name))`)
  await buildPrograms(root, [JOB], out)
  expect(run('cloud-run-job')).toBe('false')
})

test('a build that fails leaves the one before it in place, and nothing else', async () => {
  const { root, out, write, run } = checkout()
  await buildPrograms(root, [MAIN, JOB], out)
  write('packages/cloud/src/shared.ts', 'this is not a module (')
  await expect(buildPrograms(root, [MAIN, JOB], out)).rejects.toThrow('shared.ts')
  expect(run('cloud-run-job')).toBe('shared')
  expect(readdirSync(root).sort()).toEqual(['dist', 'packages'])
})
