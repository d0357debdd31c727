import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runCommand } from '../run-command.ts'
import { installed, ROOT } from '../steps.ts'

const NAMES = [
  'base',
  'contract',
  'fpl',
  'openadr',
  'convert',
  'drivers',
  'edge',
  'cloud',
  'web',
  'client',
  'cli',
  'simulator',
  'testkit',
]
const FOLDERS = [...NAMES.map((name) => `packages/${name}`), 'e2e', 'bench', 'tools']

export interface LintedTree {
  /** Problems that the linter found in a file, as `rule: message`. */
  problems(path: string): readonly string[]
  remove(): void
}

/**
 * Lints files by the rules of this repository, in a temporary folder. Every package there declares all others and `pino`, so
 * only a rule can refuse an import, not a missing dependency.
 */
export async function lintTree(files: Readonly<Record<string, string>>): Promise<LintedTree> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plantroom-lint-')))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of ['biome.json', '.gitignore', 'package.json', 'tools/lint']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  const all = FOLDERS.map((path) => `@plantroom/${path.split('/').at(-1)}`)
  const dependencies = Object.fromEntries([...all, 'pino'].map((name) => [name, '0.1.0']))
  for (const path of FOLDERS) write(`${path}/package.json`, JSON.stringify({ dependencies }))
  for (const [path, text] of Object.entries(files)) write(path, text)

  const { output } = await runCommand(installed('biome', 'lint', '--reporter=github', '--max-diagnostics=none'), {
    cwd: folder,
    signal: AbortSignal.timeout(120_000),
  })
  const found = Map.groupBy(parse(output, folder), (problem) => problem.path)
  return {
    problems: (path) => (found.get(path) ?? []).map((problem) => problem.text),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function parse(output: string, folder: string): { path: string; text: string }[] {
  const lines = output.matchAll(/^::(?:error|warning) title=([^,]+),file=([^,]+),.*?::(.*)$/gm)
  return [...lines].map(([, rule = '', file = '', message = '']) => ({
    path: file.replace(`${folder}/`, ''),
    text: `${rule}: ${message}`,
  }))
}
