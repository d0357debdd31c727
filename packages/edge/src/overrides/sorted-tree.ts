/**
 * An immutable sorted collection: every change gives a new tree that shares all but a path with the old one,
 * so a change that could not be saved is simply not taken over. Each operation costs O(log n).
 *
 * A treap: the shape follows from a scramble of each item's `seq`, the same on every run.
 */
export type Tree<Item> = Node<Item> | undefined

interface Node<Item> {
  readonly item: Item
  readonly weight: number
  readonly left: Tree<Item>
  readonly right: Tree<Item>
}

/** Below 0 when `a` comes first. 0 only for the same item. */
export type Order<Item> = (a: Item, b: Item) => number

export function insert<Item extends { seq: number }>(tree: Tree<Item>, item: Item, order: Order<Item>): Tree<Item> {
  const [left, right] = split(tree, item, order)
  return join(join(left, { item, weight: scramble(item.seq), left: undefined, right: undefined }), right)
}

/** The tree without this item; itself when it is not in there. */
export function remove<Item>(tree: Tree<Item>, item: Item, order: Order<Item>): Tree<Item> {
  if (!tree) return undefined
  const side = order(item, tree.item)
  if (side === 0) return join(tree.left, tree.right)
  if (side < 0) {
    const left = remove(tree.left, item, order)
    return left === tree.left ? tree : { ...tree, left }
  }
  const right = remove(tree.right, item, order)
  return right === tree.right ? tree : { ...tree, right }
}

export function first<Item>(tree: Tree<Item>): Item | undefined {
  let node = tree
  while (node?.left) node = node.left
  return node?.item
}

export function last<Item>(tree: Tree<Item>): Item | undefined {
  let node = tree
  while (node?.right) node = node.right
  return node?.item
}

/** All items, in order. */
export function* items<Item>(tree: Tree<Item>): Generator<Item, void> {
  const path: Node<Item>[] = []
  let node = tree
  while (node || path.length > 0) {
    for (; node; node = node.left) path.push(node)
    const next = path.pop()
    if (next) yield next.item
    node = next?.right
  }
}

/** What comes before `item`, and what does not. */
function split<Item>(tree: Tree<Item>, item: Item, order: Order<Item>): [Tree<Item>, Tree<Item>] {
  if (!tree) return [undefined, undefined]
  if (order(tree.item, item) < 0) {
    const [left, right] = split(tree.right, item, order)
    return [{ ...tree, right: left }, right]
  }
  const [left, right] = split(tree.left, item, order)
  return [left, { ...tree, left: right }]
}

/** Everything in `left` comes before everything in `right`. */
function join<Item>(left: Tree<Item>, right: Tree<Item>): Tree<Item> {
  if (!left) return right
  if (!right) return left
  return left.weight > right.weight
    ? { ...left, right: join(left.right, right) }
    : { ...right, left: join(left, right.left) }
}

/** Neighbouring numbers far apart: a tree of windows in order of acceptance would otherwise be a list. */
function scramble(seq: number): number {
  let bits = Math.imul(seq ^ (seq >>> 16), 0x45d9f3b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return (bits ^ (bits >>> 16)) >>> 0
}
