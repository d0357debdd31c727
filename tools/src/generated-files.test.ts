import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedFiles } from './generated-files.ts'
import { fillTables } from './reference-tables.ts'
import { ROOT } from './steps.ts'

describe('a generated file', async () => {
  test.each(await generatedFiles(ROOT))('$path is up to date (run ./plantroom generate)', async ({ path, content }) => {
    expect(await readFile(join(ROOT, path), 'utf8')).toBe(content)
  })
})

test('every page of a template belongs to a template (delete the others)', async () => {
  const generated = (await generatedFiles(ROOT)).map(({ path }) => path)
  const pages = (await readdir(join(ROOT, 'docs/templates'))).map((name) => `docs/templates/${name}`)
  expect(pages.filter((page) => !generated.includes(page))).toEqual([])
})

describe('a table of the reference', () => {
  test('replaces the text between its markers', () => {
    const page = 'Before\n<!-- generated: commands -->\nOUTDATED\n<!-- /generated -->\nAfter\n'
    const filled = fillTables(page)
    expect(filled).toMatch(/^Before\n<!-- generated: commands -->\n\n\| command \|/)
    expect(filled).toMatch(/\n\n<!-- \/generated -->\nAfter\n$/)
    expect(filled).not.toContain('OUTDATED')
  })

  test('of an unknown name is an error', () => {
    expect(() => fillTables('<!-- generated: nonsense -->\n<!-- /generated -->')).toThrow('nonsense')
  })
})
