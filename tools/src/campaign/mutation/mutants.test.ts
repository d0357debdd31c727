import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../steps.ts'
import { applyMutant, findMutants } from './mutants.ts'
import { shuffle } from './shuffle.ts'

const mutantsOf = (source: string) => findMutants('a.ts', source).map((mutant) => applyMutant(source, mutant))

describe('the mutants of a source', () => {
  test.each([
    ['swap comparisons', 'f(a < b)', 'f(a <= b)'],
    ['swap equality', 'f(a === b)', 'f(a !== b)'],
    ['swap arithmetic', 'f(a + b)', 'f(a - b)'],
    ['swap logical operators', 'f(a && b)', 'f(a || b)'],
    ['swap assignments', 'a += b', 'a -= b'],
    ['drop fallbacks', 'f(a ?? b)', 'f(a)'],
    ['negate conditions', 'if (a.b) f()', 'if (!(a.b)) f()'],
    ['negate conditional expressions', 'f(a ? b : c)', 'f(!(a) ? b : c)'],
    ['drop negations', 'f(!a)', 'f(a)'],
    ['flip booleans', 'f(true)', 'f(false)'],
    ['change numbers to neighbours', 'f(41)', 'f(42)'],
    ['empty strings', `f('text')`, `f('')`],
    ['drop calls', 'if (a) { await send(b) }', 'if (a) { ; }'],
    ['return undefined', 'function f() { return a }', 'function f() { return undefined }'],
    ['return early', 'const f = () => { a = b }', 'const f = () => { return; a = b }'],
    ['swap comparisons in SQL', 'sql`a < b`', 'sql`a <= b`'],
    ['swap conditions in SQL', 'sql<Row>`a OR b`', 'sql<Row>`a AND b`'],
    ['negate conditions in SQL', 'sql`a IS NOT NULL`', 'sql`a IS NULL`'],
    ['drop locks in SQL', 'sql`SELECT a FOR UPDATE OF b`', 'sql`SELECT a `'],
    ['drop links of a query', `db.select().where('a', '=', b).execute()`, 'db.select().execute()'],
  ])('%s', (_what, before, after) => {
    expect(mutantsOf(before)).toContain(after)
  })

  test.each([
    ['types', `type State = 'on' | 'off'\ninterface A { value: 1 | true }`],
    ['annotations', `let state: 'on' | 'off'\nfunction f(a?: 1): asserts a is 1 {}`],
    ['imports', `import { f } from './f.ts'\nexport { g } from './g.ts'\nexport * from './h.ts'`],
    ['keys', `a = { 'content-type': b }`],
    ['a range of SQL', 'sql`a BETWEEN b AND c`'],
    ['other templates', '`a OR b`'],
    ['concatenated text', 'a = `text` + b'],
  ])('leave %s alone', (_what, source) => {
    expect(mutantsOf(source)).toEqual([])
  })

  test.each([
    ['a dropped only call', 'const f = () => { g() }'],
    ['a return of undefined', 'function f() { return a }'],
    ['a swapped equality', 'if (a === b) c = d'],
  ])('have %s once', (_what, source) => {
    expect(mutantsOf(source)).toHaveLength(1)
  })

  test('know their place, also after characters outside of ASCII', () => {
    const [mutant] = findMutants('a.ts', `const õ = a\nconst b = õ < 1n`)
    expect(mutant).toMatchObject({ file: 'a.ts', line: 2, column: 13, before: '<', after: '<=' })
  })

  test('of a real room all parse, and differ from the source', () => {
    const files = globSync('packages/edge/src/writing/!(*.test).ts', { cwd: ROOT })
    let count = 0
    for (const file of files) {
      const source = readFileSync(join(ROOT, file), 'utf8')
      for (const mutant of findMutants(file, source)) {
        const mutated = applyMutant(source, mutant)
        expect(mutated).not.toBe(source)
        expect(parseSync(file, mutated).errors, `${file}:${mutant.line} ${mutant.after}`).toEqual([])
        count += 1
      }
    }
    expect(count).toBeGreaterThan(100)
  })
})

describe('the order of the mutants', () => {
  const items = Array.from({ length: 50 }, (_, index) => index)

  test('is the same for the same seed and another one for another', () => {
    expect(shuffle(items, 3)).toEqual(shuffle(items, 3))
    expect(shuffle(items, 3)).not.toEqual(shuffle(items, 4))
    expect(shuffle(items, 3).toSorted((a, b) => a - b)).toEqual(items)
  })
})
