def check_min_cppstd(recipe, standard):
    assert int(recipe.settings.compiler.cppstd) >= standard


def can_run(recipe):
    return True
