// A module of its own, so that the library is loaded with the first document.
export { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
