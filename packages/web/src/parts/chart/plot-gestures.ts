import { type Period, panned, zoomed } from './period.ts'

/** What a gesture needs to know and to do. */
interface Gestures {
  /** The period that is drawn now. */
  view: () => Period
  now: () => number
  onView: (period: Period) => void
  onReset: () => void
  /** The width of the plot on the page, and its left edge, in pixels. */
  box: () => { left: number; width: number }
}

const KEY_SHARE = 0.1
const KEY_ZOOM = 0.7
/** A finger that moves less than this is not moving. */
const SLACK_PX = 8
/** A notch of a wheel changes the period by a fifth. */
const WHEEL_ZOOM = 1.002

/** Returns the period after a key; `reset` for the whole range, `undefined` for a key that means nothing here. */
export function afterKey(key: string, view: Period, now: number): Period | 'reset' | undefined {
  switch (key) {
    case 'ArrowLeft':
      return panned(view, -KEY_SHARE, now)
    case 'ArrowRight':
      return panned(view, KEY_SHARE, now)
    case '+':
    case '=':
      return zoomed(view, KEY_ZOOM)
    case '-':
    case '_':
      return zoomed(view, 1 / KEY_ZOOM)
    case '0':
    case 'Home':
      return 'reset'
    default:
      return undefined
  }
}

/** Returns the period after fingers moved: the time under each finger stays under it. Places are shares of the width. */
export function afterFingers(view: Period, before: readonly number[], after: readonly number[], now: number): Period {
  const [from = 0, otherFrom] = before
  const [to = 0, otherTo] = after
  if (otherFrom === undefined || otherTo === undefined) return panned(view, from - to, now)
  const spread = Math.max(0.02, Math.abs(otherTo - to))
  const next = zoomed(view, Math.max(0.02, Math.abs(otherFrom - from)) / spread, (from + otherFrom) / 2)
  return panned(next, (from + otherFrom - to - otherTo) / 2, now)
}

/**
 * Zooms and moves a plot by wheel, fingers, Shift and drag, and keys until the returned function is called. A page is
 * scrolled by the wheel and by a finger as usual: the wheel zooms only with Ctrl or once the plot has the focus, and
 * a finger moves the plot only sideways.
 */
export function followGestures(element: HTMLElement, plot: HTMLElement, gestures: Gestures): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const fingers = new Map<number, number>()
  /** False until a finger has clearly moved sideways: it may be about to scroll the page, or only point. */
  let isMoving = false
  const share = (x: number) => (x - gestures.box().left) / Math.max(1, gestures.box().width)

  const onWheel = (event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (isSideways) {
      gestures.onView(panned(gestures.view(), event.deltaX / Math.max(1, gestures.box().width), gestures.now()))
    } else if (event.ctrlKey || event.metaKey || element.contains(document.activeElement)) {
      const by = WHEEL_ZOOM ** (event.deltaY * (event.deltaMode === 1 ? 33 : 1) * (event.ctrlKey ? 2 : 1))
      gestures.onView(zoomed(gestures.view(), by, share(event.clientX)))
    } else return
    event.preventDefault()
  }

  const isOurs = (event: PointerEvent) => event.pointerType === 'touch' || (event.shiftKey && event.button === 0)
  const onDown = (event: PointerEvent) => {
    if (!isOurs(event)) return
    fingers.set(event.pointerId, share(event.clientX))
    isMoving ||= fingers.size > 1
    if (event.pointerType !== 'touch') plot.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => {
    if (!fingers.has(event.pointerId)) return
    const before = [...fingers.values()]
    const distance = Math.abs(share(event.clientX) - (fingers.get(event.pointerId) ?? 0)) * gestures.box().width
    if (!isMoving && distance < SLACK_PX) return
    isMoving = true
    fingers.set(event.pointerId, share(event.clientX))
    gestures.onView(afterFingers(gestures.view(), before, [...fingers.values()], gestures.now()))
  }
  const onUp = (event: PointerEvent) => {
    fingers.delete(event.pointerId)
    if (fingers.size === 0) isMoving = false
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = afterKey(event.key, gestures.view(), gestures.now())
    if (next === undefined) return
    event.preventDefault()
    if (next === 'reset') gestures.onReset()
    else gestures.onView(next)
  }

  element.addEventListener('wheel', onWheel, { signal, passive: false })
  element.addEventListener('keydown', onKey, { signal })
  plot.addEventListener('pointerdown', onDown, { signal })
  plot.addEventListener('pointermove', onMove, { signal })
  for (const name of ['pointerup', 'pointercancel'] as const) plot.addEventListener(name, onUp, { signal })
  return () => ending.abort()
}
