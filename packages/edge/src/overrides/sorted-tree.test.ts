import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { first, insert, items, last, type Order, remove, type Tree } from './sorted-tree.ts'

interface Item {
  seq: number
  key: number
}

const byKey: Order<Item> = (a, b) => a.key - b.key || a.seq - b.seq

function inOrder(tree: Tree<Item>): Item[] {
  return tree ? [...inOrder(tree.left), tree.item, ...inOrder(tree.right)] : []
}

const treeOf = (items: readonly Item[], order = byKey) =>
  items.reduce<Tree<Item>>((tree, item) => insert(tree, item, order), undefined)

describe('a sorted tree', () => {
  test('has no first and no last item when it is empty', () => {
    expect([first(undefined), last(undefined), remove(undefined, { seq: 1, key: 1 }, byKey)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('behaves like a sorted list for any insertions and removals', () => {
    const changes = fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { maxLength: 200 })
    fc.assert(
      fc.property(changes, (changes) => {
        let tree: Tree<Item>
        let list: Item[] = []
        for (const [index, [adds, number]] of changes.entries()) {
          const item = adds ? { seq: index, key: number } : (list[number] ?? { seq: -1, key: number })
          tree = adds ? insert(tree, item, byKey) : remove(tree, item, byKey)
          list = (adds ? [...list, item] : list.filter((other) => other !== item)).toSorted(byKey)
          expect(inOrder(tree)).toEqual(list)
          expect([...items(tree)]).toEqual(list)
          expect([first(tree), last(tree)]).toEqual([list[0], list.at(-1)])
        }
      }),
    )
  })

  test('is not modified by a change', () => {
    const items = Array.from({ length: 50 }, (_, seq) => ({ seq, key: seq % 7 }))
    const tree = treeOf(items)
    const before = structuredClone(tree)
    insert(tree, { seq: 99, key: 3 }, byKey)
    remove(tree, items[20] as Item, byKey)
    expect(tree).toEqual(before)
  })

  test('returns itself when there is nothing to remove', () => {
    const tree = treeOf([{ seq: 1, key: 1 }])
    expect(remove(tree, { seq: 2, key: 1 }, byKey)).toBe(tree)
  })

  test.each([
    ['in order', (seq: number) => seq],
    ['in reverse order', (seq: number) => -seq],
    ['with equal keys', () => 0],
    ['alternating', (seq: number) => (seq % 2 ? seq : -seq)],
  ])('needs a logarithmic number of comparisons when filled %s', (_, keyOf) => {
    let comparisons = 0
    const counted: Order<Item> = (a, b) => {
      comparisons += 1
      return byKey(a, b)
    }
    let tree: Tree<Item>
    for (let seq = 1; seq <= 16_384; seq += 1) {
      const item = { seq, key: keyOf(seq) }
      comparisons = 0
      tree = insert(tree, item, counted)
      const depth = Math.log2(seq + 1)
      expect(comparisons).toBeLessThanOrEqual(5 + 4 * depth)
      comparisons = 0
      remove(tree, item, counted)
      expect(comparisons).toBeLessThanOrEqual(5 + 4 * depth)
    }
  })
})
