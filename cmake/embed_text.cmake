file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "R\"weir_text(${text})weir_text\"\n")
