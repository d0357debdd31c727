import { describe, expect, test } from 'vitest'
import { createDraft, type DraftStorage } from './draft.ts'

function createStorage(): DraftStorage & { size(): number } {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    size: () => items.size,
  }
}

describe('a draft', () => {
  test('survives a reload, separately for each key', () => {
    const storage = createStorage()
    createDraft(() => storage, 'site_1 7').write('We come at  noon\n')
    expect(createDraft(() => storage, 'site_1 7').read()).toBe('We come at  noon\n')
    expect(createDraft(() => storage, 'site_1 8').read()).toBe('')
    expect(createDraft(() => storage, 'site_2 7').read()).toBe('')
  })

  test('is removed when it is sent or emptied', () => {
    const storage = createStorage()
    const draft = createDraft(() => storage, 'site_1 7')
    draft.write('Done')
    draft.write(' \n')
    expect(draft.read()).toBe('')
    expect(storage.size()).toBe(0)
  })

  test('is lost without an error when the browser has no storage', () => {
    const draft = createDraft(() => {
      throw new Error('denied')
    }, 'site_1 7')
    draft.write('Done')
    expect(draft.read()).toBe('')
  })
})
