import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { loadAdminToken } from './admin-token.ts'

const fileIn = (folder: string) => join(folder, 'admin-token')

describe('the token of the operator', () => {
  test('is made at the first start, for its owner’s eyes only', async () => {
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

  test('is another in another folder', async () => {
    expect(await loadAdminToken(temporaryFolder(), undefined)).not.toBe(
      await loadAdminToken(temporaryFolder(), undefined),
    )
  })

  test('is made in a folder that is not there yet', async () => {
    const folder = join(temporaryFolder(), 'new', 'folder')
    expect(await loadAdminToken(folder, undefined)).toBe(await loadAdminToken(folder, undefined))
  })

  test('may be put there by hand, with or without a line break', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), 'chosen-by-the-operator \n')
    expect(await loadAdminToken(folder, undefined)).toBe('chosen-by-the-operator')
  })

  test('that is set wins over the one in the folder, and leaves it alone', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    expect(await loadAdminToken(folder, 'configured-0123456789')).toBe('configured-0123456789')
    expect(await loadAdminToken(folder, undefined)).toBe(token)
  })

  test('that is set is written nowhere', async () => {
    const folder = temporaryFolder()
    await loadAdminToken(folder, 'configured-0123456789')
    expect(() => statSync(fileIn(folder))).toThrow(/ENOENT/)
  })

  test('is one and the same for starts at the same moment', async () => {
    const folder = temporaryFolder()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => loadAdminToken(folder, undefined)))
    expect(new Set(tokens).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['admin-token'])
  })

  test('that is empty is never taken: it says what to do', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), '')
    await expect(loadAdminToken(folder, undefined)).rejects.toThrow(/admin-token is empty; remove it/)
  })
})
