import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

/** Which files of a checkout refer to which. Paths are relative to its root. */
export interface ImportGraph {
  /** Lists the tests that reach a file through imports or as a program they start, the nearest first. */
  testsOf(file: string): string[]
}

const REFERENCE = /['"]((?:\.\.?\/|@plantroom\/)[^'"\n]+)['"]/g
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/** Reads every relative path and package path in the sources: imports, and programs that a test starts. */
export function readImportGraph(root: string): ImportGraph {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  const doors = readDoors(root)
  const importers = new Map<string, string[]>()
  for (const file of files) {
    for (const [, reference = ''] of readFileSync(join(root, file), 'utf8').matchAll(REFERENCE)) {
      const target = reference.startsWith('@') ? doors(reference) : normalize(join(dirname(file), reference))
      if (target === undefined) continue
      const known = importers.get(target)
      if (known) known.push(file)
      else importers.set(target, [file])
    }
  }
  return { testsOf: (file) => testsThatReach(file, importers) }
}

function testsThatReach(file: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Set([file])
  // A set keeps the order of insertion and visits items added during the loop, so nearer files come first.
  for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer)
  const tests = [...reached].filter(isTest)
  const rank = (test: string) => {
    if (dirname(test) !== dirname(file)) return 2
    return basename(test).startsWith(basename(file).replace(/\.tsx?$/, '')) ? 0 : 1
  }
  return tests.toSorted((a, b) => rank(a) - rank(b))
}

/** Returns a lookup from `@plantroom/fpl/limits` to `packages/fpl/src/limits.ts`. */
function readDoors(root: string): (reference: string) => string | undefined {
  const doors = new Map<string, string>()
  const wildcards: string[] = []
  for (const path of globSync('packages/*/package.json', { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      name: string
      exports?: Record<string, string>
    }
    for (const [door, target] of Object.entries(exports)) {
      if (door === './*') wildcards.push(name)
      else doors.set(join(name, door), join(dirname(path), target))
    }
  }
  return (reference) => {
    const [, name = '', rest = ''] = /^(@plantroom\/[^/]+)\/(.+)$/.exec(reference) ?? []
    return doors.get(reference) ?? (wildcards.includes(name) ? `packages/${basename(name)}/src/${rest}.ts` : undefined)
  }
}
