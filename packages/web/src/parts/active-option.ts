/**
 * Keeps the attribute by which a field names the marked option of its list true. Mantine's field still names an option
 * that typing or choosing has removed from the list.
 */
export function followActiveOptions(): void {
  for (const event of ['input', 'keyup', 'click'])
    document.addEventListener(event, () => requestAnimationFrame(nameActive))
}

function nameActive(): void {
  // Only Mantine's fields say that they have a list. The palette names its options itself.
  const field = document.activeElement
  if (!field?.matches('[role=combobox][aria-haspopup=listbox]')) return
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  const active = list?.querySelector('[data-combobox-selected]')
  if (active) field.setAttribute('aria-activedescendant', active.id)
  else field.removeAttribute('aria-activedescendant')
}
