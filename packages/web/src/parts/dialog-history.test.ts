import { describe, expect, test } from 'vitest'
import { createDialogHistory } from './dialog-history.ts'

/** A browser tab with a page before the console's page. */
function startTab() {
  const entries: { state: unknown; url: string }[] = [
    { state: null, url: '/before' },
    { state: null, url: '/page' },
  ]
  let at = 1
  let popped: (event: { stopImmediatePropagation(): void }) => void = () => {}
  let pushed: () => void = () => {}
  const deferred: (() => void)[] = []
  const targets: number[] = []
  const seen: string[] = []
  const pushState = (state: unknown, _unused: string, url: string | URL | null = null) => {
    entries.splice(at + 1, Number.POSITIVE_INFINITY, { state, url: String(url) })
    at += 1
    pushed()
  }
  const dialogs = createDialogHistory({
    history: {
      get state() {
        return entries[at]?.state
      },
      pushState,
      // The browser goes back later.
      back: () => targets.push(at - 1),
    },
    address: () => entries[at]?.url ?? '',
    onPop(listener) {
      popped = listener
    },
    onPush(listener) {
      pushed = listener
    },
    defer: (run) => deferred.push(run),
  })
  function goTo(place: number): void {
    at = place
    let isSeen = true
    popped({
      stopImmediatePropagation() {
        isSeen = false
      },
    })
    if (isSeen) seen.push(entries[at]?.url ?? '')
    settle()
  }
  const runDeferred = () => {
    for (const run of deferred.splice(0)) run()
  }
  function settle(): void {
    runDeferred()
    for (const place of targets.splice(0)) goTo(place)
  }

  /** Opens a dialog; its `close` may refuse. */
  function open({ refuses = false, keepsPage = false } = {}) {
    const dialog = { isOpen: true, asked: 0 }
    const closed = dialogs.open({
      keepsPage,
      close() {
        dialog.asked += 1
        if (!refuses) close()
      },
    })
    function close(): void {
      dialog.isOpen = false
      closed()
    }
    return { dialog, close }
  }
  return {
    open,
    settle,
    runDeferred,
    back: () => goTo(at - 1),
    forward: () => goTo(at + 1),
    visit: (url: string) => pushState(null, '', url),
    address: () => entries[at]?.url,
    /** How many steps back lead out of the page. */
    depth: () => at,
    seen,
  }
}

describe('a dialog', () => {
  test('closes on Back, and the page stays', () => {
    const tab = startTab()
    const { dialog } = tab.open()
    tab.settle()
    tab.back()
    expect(dialog.isOpen).toBe(false)
    expect(tab.address()).toBe('/page')
    expect(tab.depth()).toBe(1)
    expect(tab.seen).toEqual([])
  })

  test('leaves no step behind when it is closed', () => {
    const tab = startTab()
    const { close } = tab.open()
    tab.settle()
    close()
    tab.settle()
    expect(tab.depth()).toBe(1)
    tab.back()
    expect(tab.address()).toBe('/before')
  })

  test('that replaces another shares its step', () => {
    const tab = startTab()
    const form = tab.open()
    tab.settle()
    form.close()
    const { dialog } = tab.open()
    tab.settle()
    expect(tab.depth()).toBe(2)
    tab.back()
    expect(dialog.isOpen).toBe(false)
    expect(tab.depth()).toBe(1)
  })

  test('above another closes first', () => {
    const tab = startTab()
    const [below, above] = [tab.open(), tab.open()]
    tab.settle()
    tab.back()
    expect([below.dialog.isOpen, above.dialog.isOpen]).toEqual([true, false])
    tab.back()
    expect(below.dialog.isOpen).toBe(false)
    expect(tab.depth()).toBe(1)
  })

  test('that stays open is asked again by the next Back', () => {
    const tab = startTab()
    const { dialog } = tab.open({ refuses: true })
    tab.settle()
    tab.back()
    tab.back()
    expect(dialog).toEqual({ isOpen: true, asked: 2 })
    expect(tab.address()).toBe('/page')
  })

  test('that keeps the page survives a longer way back', () => {
    const tab = startTab()
    const { dialog } = tab.open({ refuses: true, keepsPage: true })
    tab.settle()
    tab.back()
    tab.back()
    tab.back()
    expect(dialog.isOpen).toBe(true)
    expect(tab.address()).toBe('/page')
    expect(tab.seen).toEqual([])
  })

  test('does not come back on Forward', () => {
    const tab = startTab()
    tab.open()
    tab.settle()
    tab.back()
    tab.forward()
    expect(tab.address()).toBe('/page')
    const { dialog } = tab.open()
    tab.settle()
    tab.back()
    expect(dialog.isOpen).toBe(false)
    expect(tab.address()).toBe('/page')
  })

  test('that leads to another page does not take it back', () => {
    const tab = startTab()
    const { close } = tab.open()
    tab.settle()
    tab.visit('/other')
    close()
    tab.settle()
    expect(tab.address()).toBe('/other')
    tab.back()
    expect(tab.address()).toBe('/page')
    expect(tab.seen).toEqual(['/page'])
  })

  test('does not undo a visit while the browser is going back', () => {
    const tab = startTab()
    const { close } = tab.open()
    tab.settle()
    close()
    tab.runDeferred()
    tab.visit('/other')
    tab.settle()
    expect(tab.address()).toBe('/other')
    tab.back()
    expect(tab.address()).toBe('/page')
  })
})
