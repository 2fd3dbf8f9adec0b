export type Theme = 'system' | 'light' | 'dark'

export const readTheme = (): Theme => (localStorage.getItem('petri.theme') as Theme | null) ?? 'system'

export function applyTheme(theme: Theme = readTheme()): void {
  localStorage.setItem('petri.theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
