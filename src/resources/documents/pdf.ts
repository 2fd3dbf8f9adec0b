// Loaded with the first document.
export { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
export { printable } from './printable.ts'
