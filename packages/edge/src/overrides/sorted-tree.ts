/**
 * An immutable sorted collection. Every change returns a new tree that shares all but one path with the old one, so
 * undoing a change that could not be saved means keeping the old tree. Each operation costs O(log n).
 *
 * A treap whose shape follows from a hash of each item's `seq`: the same on every run.
 */
export type Tree<Item> = Node<Item> | undefined

interface Node<Item> {
  readonly item: Item
  readonly weight: number
  readonly left: Tree<Item>
  readonly right: Tree<Item>
}

/** Negative when `a` comes first; 0 only for the same item. */
export type Order<Item> = (a: Item, b: Item) => number

export function insert<Item extends { seq: number }>(tree: Tree<Item>, item: Item, order: Order<Item>): Tree<Item> {
  const [left, right] = split(tree, item, order)
  return join(join(left, { item, weight: hash(item.seq), left: undefined, right: undefined }), right)
}

/** Returns the tree without this item, or the same tree when it does not contain the item. */
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

/** Yields all items, in order. */
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

/** Splits the tree into the items before `item` and the others. */
function split<Item>(tree: Tree<Item>, item: Item, order: Order<Item>): [Tree<Item>, Tree<Item>] {
  if (!tree) return [undefined, undefined]
  if (order(tree.item, item) < 0) {
    const [left, right] = split(tree.right, item, order)
    return [{ ...tree, right: left }, right]
  }
  const [left, right] = split(tree.left, item, order)
  return [left, { ...tree, left: right }]
}

/** Joins two trees. Everything in `left` must come before everything in `right`. */
function join<Item>(left: Tree<Item>, right: Tree<Item>): Tree<Item> {
  if (!left) return right
  if (!right) return left
  return left.weight > right.weight
    ? { ...left, right: join(left.right, right) }
    : { ...right, left: join(left, right.left) }
}

/** Spreads neighbouring numbers apart. Without it, overrides in order of acceptance would form a list. */
function hash(seq: number): number {
  let bits = Math.imul(seq ^ (seq >>> 16), 0x45d9f3b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return (bits ^ (bits >>> 16)) >>> 0
}
