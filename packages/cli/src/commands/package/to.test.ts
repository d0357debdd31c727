import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePackage } from '@plantroom/fpl/write-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { packages } from './package.ts'

async function folderWithPackage(): Promise<(name: string) => string> {
  const folder = temporaryFolder()
  const tickets = [{ externalId: 'WO-1', title: '=1+1', state: 'open', tone: 'polite', comments: [{ content: 'x' }] }]
  await writePackage(join(folder, 'site.fpl'), { tickets, attachments: [] })
  return (name) => join(folder, name)
}

async function printed(...args: readonly string[]): Promise<string> {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await packages.run(args)
    return out.mock.calls.map(([line]) => line).join('\n')
  } finally {
    out.mockRestore()
  }
}

describe('plantroom package to', () => {
  test('writes a folder and says what became of everything', async () => {
    const at = await folderWithPackage()
    const out = await printed('to', 'jira', at('site.fpl'), '-o', at('jira'), '--unplaced', at('u.csv'))
    expect(out).toBe(
      [
        `${at('jira')}: 1 request, 1 comment, 0 attachments`,
        '  externalId: 1 value became a column for a field of your own',
        '  tone: 1 value became a column for a field of your own',
        '  title: 1 value became the same with an apostrophe, so that no spreadsheet takes it for a formula',
        `  every such value is in ${at('u.csv')}`,
      ].join('\n'),
    )
    expect(readFileSync(at('u.csv'), 'utf8').split('\r\n')[0]).toBe('place,column,value,became')
  })

  test('prints one line with --json, and writes tables as spreadsheets expect them', async () => {
    const at = await folderWithPackage()
    const out = await printed('to', 'csv', at('site.fpl'), '-o', at('csv'), '--json', '--separator', ';', '--bom')
    expect(JSON.parse(out)).toEqual({
      ...{ folder: at('csv'), tickets: 1, comments: 1, attachments: 0, unplaced: [] },
      files: ['requests.csv', 'comments.csv', 'mapping.yaml'],
    })
    expect(readFileSync(join(at('csv'), 'requests.csv'), 'utf8')).toMatch(/^\uFEFFExternal id;Number;Title;/)
  })

  test('overwrites neither a folder nor a list without --force', async () => {
    const at = await folderWithPackage()
    const args = ['to', 'csv', at('site.fpl'), '-o', at('out'), '--unplaced', at('u.csv')]
    writeFileSync(at('u.csv'), 'precious')
    await expect(printed(...args)).rejects.toThrow('u.csv exists; name a new file, or use --force to replace it')
    expect(existsSync(at('out'))).toBe(false)
    await printed(...args, '--force')
    await expect(printed(...args.slice(0, -2))).rejects.toThrow('out exists; name a new folder')
    await printed(...args, '--force')
  })

  test('names a package that does not exist', async () => {
    const at = await folderWithPackage()
    await expect(printed('to', 'csv', at('none.fpl'), '-o', at('out'))).rejects.toThrow('the file does not exist')
  })
})
