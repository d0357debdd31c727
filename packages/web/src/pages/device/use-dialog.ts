import { useCallback, useRef, useState } from 'react'

/** What is open above the page. */
export type Dialog =
  | { kind: 'override'; datapointId: string }
  | { kind: 'release'; datapointId: string; windowId: string }

/** Opens one dialog at a time; whoever closes it is back where they were, or at the page when that is gone. */
export function useDialog() {
  const [dialog, setDialog] = useState<Dialog>()
  const opener = useRef<Element>(null)

  const open = useCallback((next: Dialog) => {
    opener.current = document.activeElement
    setDialog(next)
  }, [])
  const close = useCallback(() => {
    setDialog(undefined)
    // The dialog keeps the focus to itself until it is gone.
    setTimeout(() => {
      const back = opener.current?.isConnected ? opener.current : document.getElementById('page')
      if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    })
  }, [])
  const openOverride = useCallback((datapointId: string) => open({ kind: 'override', datapointId }), [open])
  const openRelease = useCallback(
    (datapointId: string, windowId: string) => open({ kind: 'release', datapointId, windowId }),
    [open],
  )
  return { dialog, close, openOverride, openRelease }
}
