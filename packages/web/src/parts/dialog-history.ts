/** A dialog that the browser's Back button closes. */
interface OpenDialog {
  /** Asks the dialog to close. It may stay open. */
  close(): void
  /** True while leaving the page would lose what the dialog shows. */
  keepsPage: boolean
}

/** The parts of the browser that are used here. */
interface Browser {
  readonly history: Pick<History, 'state' | 'pushState' | 'back'>
  /** The address of the page. */
  address(): string
  /** Calls back before anyone else when the person goes back or forward. */
  onPop(listener: (event: Pick<Event, 'stopImmediatePropagation'>) => void): void
  /** Calls back after the console went to another page. */
  onPush(listener: () => void): void
  /** Calls back when all changes of this moment are made. */
  defer(run: () => void): void
}

/**
 * Lets Back close the topmost dialog instead of leaving the page. While a dialog is open, the history has one more
 * entry with the same address. Going forward to an old entry shows the page without a dialog.
 */
export function createDialogHistory({ history, address, onPop, onPush, defer }: Browser) {
  const dialogs: OpenDialog[] = []
  let count = 0
  /** The entry of the open dialogs. While it is `left`, the browser still has to go back from it. */
  let entry: { number: number; address: string; left: boolean } | undefined
  /** The page that the console went to while the browser was going back. */
  let wanted: string | undefined

  function push(at: string): void {
    count += 1
    history.pushState({ dialog: count }, '', at)
    entry = { number: count, address: at, left: false }
  }

  /** Adds or removes the entry. A dialog that replaces another shares its entry. */
  function settle(): void {
    if (entry?.left) return
    if (dialogs.length > 0) {
      if (!entry) push(address())
    } else if (entry) {
      // Another page may be on top of it.
      if (history.state?.dialog !== entry.number) entry = undefined
      else {
        entry.left = true
        history.back()
      }
    }
  }

  onPush(() => {
    if (entry?.left) wanted = address()
  })

  onPop((event) => {
    const before = entry
    entry = undefined
    if (before?.left) {
      event.stopImmediatePropagation()
      if (wanted !== undefined) history.pushState(null, '', wanted)
      wanted = undefined
      settle()
      return
    }
    const top = dialogs.at(-1)
    if (!top || !before) return
    const isSamePage = address() === before.address
    if (!isSamePage && !top.keepsPage) return
    // Pages must not see it: nothing of theirs changes.
    event.stopImmediatePropagation()
    if (!isSamePage) push(before.address)
    top.close()
    defer(settle)
  })

  return {
    /** Notes an open dialog. Returns a function to call when it is closed. */
    open(dialog: OpenDialog): () => void {
      dialogs.push(dialog)
      defer(settle)
      return () => {
        dialogs.splice(dialogs.indexOf(dialog), 1)
        defer(settle)
      }
    },
  }
}
