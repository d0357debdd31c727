import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { openFileStore } from './file-store.ts'

function folderWith(...paths: string[]) {
  const folder = temporaryFolder()
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), path)
  }
  return openFileStore(folder)
}

const pathOf = (found: ReturnType<ReturnType<typeof openFileStore>['find']>) =>
  typeof found === 'object' ? found.path : found

test('a file is found by its path, in any case and Unicode form, or by a name without a folder', () => {
  using store = folderWith('10/Photo.jpg', 'o\u0303.txt', 'one.txt')
  expect(pathOf(store.find(['10/photo.JPG']))).toBe('10/Photo.jpg')
  expect(pathOf(store.find(['\u00f5.txt']))).toBe('o\u0303.txt')
  expect(pathOf(store.find(['somewhere/one.txt', 'one.txt']))).toBe('one.txt')
})

test('a file in another folder is never given to a request that has one of the same name', () => {
  using store = folderWith('10/photo.jpg')
  expect(store.find(['11/photo.jpg'])).toBeUndefined()
  using flat = folderWith('photo.jpg')
  expect(pathOf(flat.find(['10/photo.jpg', 'photo.jpg']))).toBe('photo.jpg')
  expect(flat.find(['11/photo.jpg', 'photo.jpg'])).toBeUndefined()
  expect(pathOf(flat.find(['10/photo.jpg', 'photo.jpg']))).toBe('photo.jpg')
})

test('a name that several files have is said to be ambiguous', () => {
  using store = folderWith('a/photo.jpg', 'b/photo.jpg')
  expect(store.find(['photo.jpg'])).toBe('several')
})
