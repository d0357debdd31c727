import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { loadAdminToken } from './folder-tokens.ts'

const fileIn = (folder: string) => join(folder, 'admin-token')

describe('the admin token', () => {
  test('is created at the first start, readable only by its owner', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    expect(token).toMatch(/^pla_[0-9A-Za-z]{40}$/)
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(`${token}\n`)
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
  })

  test('is the same at every later start', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    for (let times = 0; times < 3; times += 1) expect(await loadAdminToken(folder, undefined)).toBe(token)
  })

  test('differs between folders', async () => {
    expect(await loadAdminToken(temporaryFolder(), undefined)).not.toBe(
      await loadAdminToken(temporaryFolder(), undefined),
    )
  })

  test('is created along with a missing folder', async () => {
    const folder = join(temporaryFolder(), 'new', 'folder')
    expect(await loadAdminToken(folder, undefined)).toBe(await loadAdminToken(folder, undefined))
  })

  test('can be written by hand, with trailing white space', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), 'chosen-by-the-operator \n')
    expect(await loadAdminToken(folder, undefined)).toBe('chosen-by-the-operator')
  })

  test('from the configuration takes precedence over the file, which stays unchanged', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    expect(await loadAdminToken(folder, 'configured-0123456789')).toBe('configured-0123456789')
    expect(await loadAdminToken(folder, undefined)).toBe(token)
  })

  test('from the configuration is not written to the folder', async () => {
    const folder = temporaryFolder()
    await loadAdminToken(folder, 'configured-0123456789')
    expect(() => statSync(fileIn(folder))).toThrow(/ENOENT/)
  })

  test('is the same for concurrent starts', async () => {
    const folder = temporaryFolder()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => loadAdminToken(folder, undefined)))
    expect(new Set(tokens).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['admin-token'])
  })

  test('is rejected when the file is empty, with a remedy', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), '')
    await expect(loadAdminToken(folder, undefined)).rejects.toThrow(/admin-token is empty; remove it/)
  })
})
